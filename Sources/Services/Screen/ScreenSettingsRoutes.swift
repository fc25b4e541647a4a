import Catalogue
import Hosting
import WebServer

/// The routes for the settings of named screens.
struct ScreenSettingsRoutes: Sendable {
    let store: ScreenSettingsStore
    let showInbox: ShowInbox

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/screens", .roles(WebRole.staff)) { [store] _ in .json(store.all) },
            WebRoute(
                .put, "/api/screens/:name", .roles(WebRole.operators), bodyLimitBytes: 2_048, answer: replace),
            WebRoute(.delete, "/api/screens/:name", .roles(WebRole.operators), answer: delete),
        ]
    }

    @Sendable private func replace(_ request: WebRequest) async -> WebResponse {
        guard let name = request.pathParameters["name"], ScreenService.isScreenName(name) else {
            return ScreenService.noScreen
        }
        guard showInbox.newestSnapshot.isActiveServer else { return Self.notActive }
        let settings: ScreenSettings
        do throws(JSONFault) { settings = try JSONBody.decode(ScreenSettings.self, from: request.body) } catch
        {
            return error.errorResponse
        }
        if let fault = settings.fault { return .refused(422, "bad-screen", fault) }
        do throws(CatalogueError) {
            guard try await store.store(settings, of: name) else {
                return .refused(
                    429, "too-many",
                    "\(CatalogueStore.mostScreens) screens have settings already; delete those of one.")
            }
            return .succeeded
        } catch {
            return Self.notWritten
        }
    }

    @Sendable private func delete(_ request: WebRequest) async -> WebResponse {
        guard showInbox.newestSnapshot.isActiveServer else { return Self.notActive }
        do throws(CatalogueError) {
            return try await store.delete(request.pathParameters["name"] ?? "")
                ? .succeeded : .refused(404, "no-screen", "This screen has no settings of its own.")
        } catch {
            return Self.notWritten
        }
    }

    private static let notActive = WebResponse.refused(
        409, "not-reigning", "This server is the backup; set up the screens on the main one.")
    private static let notWritten = WebResponse.refused(
        507, "not-written", "The settings could not be written, so nothing was changed; free disk space.")
}
