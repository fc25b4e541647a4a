import Content
import Hosting
import WebServer

/// The addresses of a relay: those of the content server that listeners use, from what came over the broker.
struct RelayRoutes: Sendable {
    let shelf: RelayShelf
    let hub: EventHub
    /// How it stands with broker and server.
    let standing: @Sendable () -> RelayStanding

    var routes: [WebRoute] {
        [
            .stream("/api/audience/events", .anybody, hub),
            text(RelayManifest.concert), text(RelayManifest.pieceList), text(RelayManifest.glossary),
            WebRoute(.get, "/getData.php", .anybody) { [shelf] in
                shelf.pieceTexts.answer($0.rawQuery)
            },
            WebRoute(.get, "/images/:name", .anybody) { [shelf] request in
                shelf.asset(request.path, in: .images, named: request.parameters["name"] ?? "")
                    ?? Self.missing
            },
            WebRoute(.get, "/images/AppAssets/:name", .anybody) { [shelf] request in
                shelf.asset(request.path, in: .AppAssets, named: request.parameters["name"] ?? "")
                    ?? Self.missing
            },
            QRCodeRoute.route,
            // For whatever stands in front and chooses among relays: 503 takes this one out.
            WebRoute(.get, "/healthz", .anybody) { [standing] _ in
                let standing = standing()
                return .json(standing, status: standing.isWell ? 200 : 503)
            },
        ] + AudienceParts.routes { [shelf] in shelf.parts }
    }

    private func text(_ path: String) -> WebRoute {
        WebRoute(.get, path, .anybody) { [shelf] _ in
            shelf.text(path).map { .document($0) }
                ?? .refused(404, "no-concert", "There is no concert yet; come back when the hall opens.")
        }
    }

    private static let missing = WebResponse.line(404, "There is no such file.\n")
}

/// How it stands with those whom a relay depends on; the stream's section `source`.
struct RelayStanding: Encodable, Equatable, Sendable {
    /// Whether the broker is reached.
    var broker: Bool
    /// Whether the server reaches the broker, as far as the broker says.
    var server: Bool
    var revision: String?
    /// Words of a server that has lost the baton, which were not passed on.
    var refused: Int

    /// Whether listeners are told what happens now, and not what was heard last.
    var isHeard: Bool { broker && server }

    var isWell: Bool { broker && revision != nil }

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
