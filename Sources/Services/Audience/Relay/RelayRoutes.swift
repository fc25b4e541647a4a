import Content
import Hosting
import WebServer

/// The routes of a relay: the main server's routes for listeners, answered from the files that the broker delivered.
struct RelayRoutes: Sendable {
    let fileStore: RelayFileStore
    let eventHub: EventHub
    /// Returns the state of the relay's connections, for `/healthz`.
    let status: @Sendable () -> RelayStatus

    var routes: [WebRoute] {
        [
            .stream("/api/audience/events", .anybody, eventHub),
            textFileRoute(RelayManifest.concertPath), textFileRoute(RelayManifest.pieceListPath),
            textFileRoute(RelayManifest.glossaryPath),
            WebRoute(.get, "/getData.php", .anybody) { [fileStore] in
                fileStore.pieceXMLCache.makePiecesResponse($0.rawQuery)
            },
            WebRoute(.get, "/images/:name", .anybody) { [fileStore] request in
                fileStore.assetResponse(
                    request.path, in: .images, named: request.pathParameters["name"] ?? "")
                    ?? Self.missingFileResponse
            },
            WebRoute(.get, "/images/AppAssets/:name", .anybody) { [fileStore] request in
                fileStore.assetResponse(
                    request.path, in: .AppAssets, named: request.pathParameters["name"] ?? "")
                    ?? Self.missingFileResponse
            },
            QRCodeRoute.route,
            // For load balancers that choose among relays: status 503 takes this relay out.
            WebRoute(.get, "/healthz", .anybody) { [status] _ in
                let status = status()
                return .json(status, status: status.canServe ? 200 : 503)
            },
        ] + AudienceConcertDocuments.makeRoutes { [fileStore] in fileStore.concertParts }
    }

    private func textFileRoute(_ path: String) -> WebRoute {
        WebRoute(.get, path, .anybody) { [fileStore] _ in
            fileStore.textDocument(path).map { .document($0) }
                ?? .refused(404, "no-concert", "There is no concert yet; come back when the hall opens.")
        }
    }

    private static let missingFileResponse = WebResponse.plainText(404, "There is no such file.\n")
}

/// The state of a relay's connections; the section `source` of its live stream.
struct RelayStatus: Encodable, Equatable, Sendable {
    /// True while the relay is connected to the broker.
    var isBrokerConnected: Bool
    /// True while the concert's server is connected to the broker, according to the broker.
    var isServerConnected: Bool
    var contentRevision: String?
    /// The number of messages that were dropped because a newer server had taken over.
    var droppedMessageCount: Int

    /// True while listeners get the present position; false while they see only the last one that was received.
    var isPositionCurrent: Bool { isBrokerConnected && isServerConnected }

    var canServe: Bool { isBrokerConnected && contentRevision != nil }

    private enum CodingKeys: CodingKey { case broker, server, isHeard, revision, refused }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(isBrokerConnected, forKey: .broker)
        try fields.encode(isServerConnected, forKey: .server)
        try fields.encode(isPositionCurrent, forKey: .isHeard)
        try fields.encodeIfPresent(contentRevision, forKey: .revision)
        try fields.encode(droppedMessageCount, forKey: .refused)
    }
}
