import BackupLink
import Catalogue
import WebServer

/// What two servers share beside the show: slides, scores, rooms and accounts.
extension ServeRun {
    /// Lets the server that does not reign copy the one that does, and everybody here read what was copied.
    /// - Parameter isNew: the data folder was made by this start.
    static func mirror(
        _ pair: ServePair, _ options: ServeCommand, isNew: Bool, content: ContentServing, library: Library,
        rooms: RoomServing
    ) async throws -> ServeMirror {
        try await ServeMirror(
            data: options.server.data,
            shelves: [("assets", content.desk.shelf), ("scores", library.shelf)], isNew: isNew,
            key: options.pair.key(), pair: pair, say: say,
            whenReigning: {
                for note in await library.resumeImports() { say(note + "\n") }
                // Before the first musician waits for it; where it fails now, whoever asks reads them again.
                _ = try? await rooms.hub.loaded()
            }
        ) { database, tables in
            if database == "rooms" { return rooms.hub.forget() }
            await library.reread()
            if !tables.isDisjoint(with: ["all", "concert", "servedConcert", "contentEdit"]) {
                await content.desk.reread()
            }
        }
    }

    /// Every address beside the console's own. What is added here has its row in docs/console-api.md, which says who
    /// may use it.
    static func furtherRoutes(
        content: [WebRoute], library: [WebRoute], rooms: [WebRoute], reigning pair: ServePair?
    ) -> [WebRoute] {
        routes(content + library, reigning: pair) + rooms
    }

    /// Addresses of content, where it may be changed only on the server that reigns: what is changed beside it would
    /// only be put aside.
    static func routes(_ routes: [WebRoute], reigning pair: ServePair?) -> [WebRoute] {
        guard let pair else { return routes }
        return routes.map { $0.refusingChanges { refusal(of: pair) } }
    }

    /// What a server that does not reign says to who would change its content; nil where it reigns.
    private static func refusal(of pair: ServePair) -> WebAnswer? {
        guard pair.role != .main else { return nil }
        return .refused(
            503, "not-reigning",
            "Another server has the show; what you change here would not be kept. Make the change there."
        ).with("Retry-After", "1")
    }
}
