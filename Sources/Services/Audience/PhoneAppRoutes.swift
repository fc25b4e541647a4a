import Catalogue
import Concert
import Content
import Foundation
import Score
import WebServer

/// The routes that existing phone apps call. Their paths and formats are fixed; everybody may use them without
/// signing in.
struct PhoneAppRoutes {
    let listeners: ConcertPublisher

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/getPieces.php", .anybody) { [listeners] _ in
                listeners.served.map { .document($0.pieceList) } ?? .line(200, "")
            },
            WebRoute(.get, "/getData.php", .anybody) { [listeners] request in
                (listeners.served?.pieceXMLCache ?? Self.noPieces).answer(request.rawQuery)
            },
            WebRoute(.get, "/images/:name", .anybody) { [listeners] request in
                Self.asset(.images, request.parameters["name"] ?? "", listeners)
            },
            WebRoute(.get, "/images/AppAssets/:name", .anybody) { [listeners] request in
                Self.asset(.AppAssets, request.parameters["name"] ?? "", listeners)
            },
        ]
    }

    private static let noPieces = PieceXMLCache([], tag: "none")

    static func asset(_ place: ContentAsset.Folder, _ name: String, _ listeners: ConcertPublisher)
        -> WebResponse
    {
        guard let served = listeners.served else { return ConcertFileResponses.missing(name) }
        if place == .AppAssets, name == ConcertFileResponses.glossary { return .document(served.glossary) }
        let asset =
            place == .AppAssets && name == ConcertFileResponses.notes
            ? served.notes ?? served.document.asset(place, name) : served.document.asset(place, name)
        guard let asset else { return ConcertFileResponses.missing(name) }
        return ConcertFileResponses.answer(asset, listeners.shelf)
    }
}

/// The routes of the audience page. Everybody may use them without signing in.
struct AudienceRoutes {
    let listeners: ConcertPublisher

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/audience/concert", .anybody) { [listeners] _ in
                listeners.served.map { .document($0.audience) }
                    ?? .refused(404, "no-concert", "There is no concert yet; come back when the hall opens.")
            },
            .stream("/api/audience/events", .anybody, listeners.hub),
        ] + AudienceParts.routes { [listeners] in listeners.served?.parts }
    }
}
