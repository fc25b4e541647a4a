import Catalogue
import Concert
import Content
import Foundation
import Score
import WebServer

/// The routes that existing phone apps call. Their paths and formats must not change, because the apps expect exactly
/// these. Everybody may use the routes without signing in.
struct PhoneAppRoutes {
    let concertPublisher: ConcertPublisher

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/getPieces.php", .anybody) { [concertPublisher] _ in
                concertPublisher.servedConcert.map { .document($0.pieceListDocument) } ?? .plainText(200, "")
            },
            WebRoute(.get, "/getData.php", .anybody) { [concertPublisher] request in
                (concertPublisher.servedConcert?.pieceXMLCache ?? Self.emptyPieceXMLCache).makePiecesResponse(
                    request.rawQuery)
            },
            WebRoute(.get, "/images/:name", .anybody) { [concertPublisher] request in
                Self.assetResponse(.images, request.pathParameters["name"] ?? "", concertPublisher)
            },
            WebRoute(.get, "/images/AppAssets/:name", .anybody) { [concertPublisher] request in
                Self.assetResponse(.AppAssets, request.pathParameters["name"] ?? "", concertPublisher)
            },
        ]
    }

    private static let emptyPieceXMLCache = PieceXMLCache([], cacheTag: "none")

    static func assetResponse(_ place: ContentAsset.Folder, _ name: String, _ listeners: ConcertPublisher)
        -> WebResponse
    {
        guard let served = listeners.servedConcert else {
            return ConcertFileResponses.makeMissingFileResponse(name)
        }
        if place == .AppAssets, name == ConcertFileResponses.glossaryFileName {
            return .document(served.glossaryDocument)
        }
        let asset =
            place == .AppAssets && name == ConcertFileResponses.notesFileName
            ? served.programmeNotesAsset ?? served.catalogueConcert.findAsset(place, name)
            : served.catalogueConcert.findAsset(place, name)
        guard let asset else { return ConcertFileResponses.makeMissingFileResponse(name) }
        return ConcertFileResponses.makeFileResponse(asset, listeners.assetStore)
    }
}

/// The routes of the audience page. Everybody may use them without signing in.
struct AudienceRoutes {
    let concertPublisher: ConcertPublisher

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/audience/concert", .anybody) { [concertPublisher] _ in
                concertPublisher.servedConcert.map { .document($0.wholeAudienceDocument) }
                    ?? .refused(404, "no-concert", "There is no concert yet; come back when the hall opens.")
            },
            .stream("/api/audience/events", .anybody, concertPublisher.audienceEventHub),
        ]
            + AudienceConcertDocuments.makeRoutes { [concertPublisher] in
                concertPublisher.servedConcert?.separateAudienceDocuments
            }
    }
}
