import Catalogue
import Hosting
import WebServer

/// The routes for the settings of named screens.
struct ScreenSettingsRoutes: Sendable {
    let store: ScreenSettingsStore
    let showInbox: ShowInbox

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/screens", .roles(WebRole.titleStaff)) { [store] _ in .json(store.all) },
            WebRoute(
                .post, "/api/screens/:name", .roles(WebRole.evening), bodyLimitBytes: 2_048, answer: change),
            WebRoute(.delete, "/api/screens/:name", .roles(WebRole.evening), answer: delete),
        ]
    }

    @Sendable private func change(_ request: WebRequest) async throws -> WebResponse {
        guard let name = request.pathParameters["name"], ScreenService.isScreenName(name) else {
            return ScreenService.noScreen
        }
        guard showInbox.newestSnapshot.isActiveServer else { return Self.notActive }
        let change = try JSONBody.decode(ScreenSettingsChange.self, from: request.body)
        try await store.change(name, by: change)
        return .succeeded
    }

    @Sendable private func delete(_ request: WebRequest) async -> WebResponse {
        guard showInbox.newestSnapshot.isActiveServer else { return Self.notActive }
        do throws(CatalogueError) {
            return try await store.delete(request.pathParameters["name"] ?? "")
                ? .succeeded : .refused(404, "no-screen", "This screen has no settings of its own.")
        } catch {
            return ScreenSettingsStore.notWritten.response
        }
    }

    private static let notActive = WebResponse.refused(
        409, "not-reigning", "This server is the backup; set up the screens on the main one.")
}
