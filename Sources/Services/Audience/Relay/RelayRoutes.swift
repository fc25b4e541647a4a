import Content
import Hosting
import WebServer

/// The routes of a relay: those of the main server that listeners use, answered from the files that came over the
/// broker.
struct RelayRoutes: Sendable {
    let fileStore: RelayFileStore
    let hub: EventHub
    /// Returns the state of the connections to the broker and the server.
    let status: @Sendable () -> RelayStatus

    var routes: [WebRoute] {
        [
            .stream("/api/audience/events", .anybody, hub),
            text(RelayManifest.concert), text(RelayManifest.pieceList), text(RelayManifest.glossary),
            WebRoute(.get, "/getData.php", .anybody) { [fileStore] in
                fileStore.pieceXMLCache.answer($0.rawQuery)
            },
            WebRoute(.get, "/images/:name", .anybody) { [fileStore] request in
                fileStore.asset(request.path, in: .images, named: request.parameters["name"] ?? "")
                    ?? Self.missing
            },
            WebRoute(.get, "/images/AppAssets/:name", .anybody) { [fileStore] request in
                fileStore.asset(request.path, in: .AppAssets, named: request.parameters["name"] ?? "")
                    ?? Self.missing
            },
            QRCodeRoute.route,
            // For load balancers that choose among relays: status 503 takes this relay out.
            WebRoute(.get, "/healthz", .anybody) { [status] _ in
                let status = status()
                return .json(status, status: status.canServe ? 200 : 503)
            },
        ] + AudienceParts.routes { [fileStore] in fileStore.parts }
    }

    private func text(_ path: String) -> WebRoute {
        WebRoute(.get, path, .anybody) { [fileStore] _ in
            fileStore.text(path).map { .document($0) }
                ?? .refused(404, "no-concert", "There is no concert yet; come back when the hall opens.")
        }
    }

    private static let missing = WebResponse.line(404, "There is no such file.\n")
}

/// The state of a relay's connections; the section `source` of its live stream.
struct RelayStatus: Encodable, Equatable, Sendable {
    /// True while the relay is connected to the broker.
    var broker: Bool
    /// True while the concert's server is connected to the broker, according to the broker.
    var server: Bool
    var revision: String?
    /// The number of messages that were dropped because a newer server had taken over.
    var refused: Int

    /// True while listeners get the present position; false while they see the last one received.
    var isHeard: Bool { broker && server }

    var canServe: Bool { broker && revision != nil }

    private enum CodingKeys: CodingKey { case broker, server, isHeard, revision, refused }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(broker, forKey: .broker)
        try fields.encode(server, forKey: .server)
        try fields.encode(isHeard, forKey: .isHeard)
        try fields.encodeIfPresent(revision, forKey: .revision)
        try fields.encode(refused, forKey: .refused)
    }
}
