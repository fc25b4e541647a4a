import Catalogue
import Concert
import Content
import Foundation
import Score
import WebServer

/// The routes that existing phone apps call, so their paths and formats must not change. Everybody may use them without
/// signing in.
struct PhoneAppRoutes {
    let concertPublisher: ConcertPublisher

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/getPieces.php", .anybody) { [concertPublisher] _ in
                concertPublisher.servedConcert.map { .document($0.pieceList) } ?? .plainText(200, "")
            },
            WebRoute(.get, "/getData.php", .anybody) { [concertPublisher] request in
                (concertPublisher.servedConcert?.pieceXMLCache ?? Self.noPieces).answer(request.rawQuery)
            },
            WebRoute(.get, "/images/:name", .anybody) { [concertPublisher] request in
                Self.assetResponse(.images, request.parameters["name"] ?? "", concertPublisher)
            },
            WebRoute(.get, "/images/AppAssets/:name", .anybody) { [concertPublisher] request in
                Self.assetResponse(.AppAssets, request.parameters["name"] ?? "", concertPublisher)
            },
        ]
    }

    private static let noPieces = PieceXMLCache([], tag: "none")

    static func assetResponse(_ place: ContentAsset.Folder, _ name: String, _ listeners: ConcertPublisher)
        -> WebResponse
    {
        guard let served = listeners.servedConcert else { return ConcertFileResponses.missing(name) }
        if place == .AppAssets, name == ConcertFileResponses.glossaryFileName {
            return .document(served.glossary)
        }
        let asset =
            place == .AppAssets && name == ConcertFileResponses.notesFileName
            ? served.notes ?? served.catalogueConcert.asset(place, name)
            : served.catalogueConcert.asset(place, name)
        guard let asset else { return ConcertFileResponses.missing(name) }
        return ConcertFileResponses.answer(asset, listeners.assetStore)
    }
}

/// The routes of the audience page. Everybody may use them without signing in.
struct AudienceRoutes {
    let concertPublisher: ConcertPublisher

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/audience/concert", .anybody) { [concertPublisher] _ in
                concertPublisher.servedConcert.map { .document($0.audienceDocument) }
                    ?? .refused(404, "no-concert", "There is no concert yet; come back when the hall opens.")
            },
            .stream("/api/audience/events", .anybody, concertPublisher.audienceEvents),
        ]
            + AudienceConcertParts.routes { [concertPublisher] in
                concertPublisher.servedConcert?.audienceParts
            }
    }
}
