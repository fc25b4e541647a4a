import Catalogue
import Concert
import Foundation
import Score
import WebServer

/// The addresses that existing apps call; paths and formats are not ours to change. Open to anybody.
struct ContentFixedPaths {
    static let notes = "ProgramNotes.pdf"
    static let glossary = "glossary.xml"

    let desk: ContentDesk

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/getPieces.php", .anybody) { [desk] _ in
                desk.served.map { .document($0.pieceList) } ?? .line(200, "")
            },
            WebRoute(.get, "/getData.php", .anybody) { [desk] request in
                (desk.served?.pieceTexts ?? Self.noPieces).answer(request.rawQuery)
            },
            WebRoute(.get, "/images/:name", .anybody) { [desk] request in
                Self.asset(.images, request.parameters["name"] ?? "", desk)
            },
            WebRoute(.get, "/images/AppAssets/:name", .anybody) { [desk] request in
                Self.asset(.AppAssets, request.parameters["name"] ?? "", desk)
            },
        ]
    }

    private static let noPieces = PieceTexts([], tag: "none")

    /// The values of `database` and a number, in the order they come; nil for one that is no text.
    static func names(in query: String) -> [String?] {
        query.split(separator: "&").compactMap { pair -> String?? in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, sides[0].hasPrefix("database"),
                sides[0].dropFirst(8).allSatisfy({ $0.isASCII && $0.isNumber })
            else { return nil }
            // Forms write a blank as a plus sign; a plus sign itself comes percent-encoded.
            let text = sides[1].replacing("+", with: " ")
            guard !text.isEmpty else { return nil }
            return .some(String(text).removingPercentEncoding)
        }
    }

    static func asset(_ place: ContentAsset.Place, _ name: String, _ desk: ContentDesk) -> WebAnswer {
        guard let served = desk.served else { return missing(name) }
        if place == .AppAssets, name == glossary { return .document(served.glossary) }
        let asset =
            place == .AppAssets && name == notes
            ? served.notes ?? served.document.asset(place, name) : served.document.asset(place, name)
        guard let asset else { return missing(name) }
        return file(asset, desk.shelf)
    }

    /// A file as browsers may have it: nothing in it runs, whatever it is.
    static func file(_ asset: ContentAsset, _ shelf: AssetShelf) -> WebAnswer {
        guard let asset = StoredDrawings.servable(asset, from: shelf),
            let path = shelf.path(of: asset.digest)
        else { return missing(asset.name.text) }
        let policy =
            asset.type == ContentAssetKind.pdf.type
            ? "default-src 'none'; object-src 'self'; plugin-types application/pdf; style-src 'unsafe-inline'"
            : "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
        return WebAnswer.file(path, contentType: asset.type, tag: String(asset.digest.prefix(32)))
            .with("Content-Security-Policy", policy)
            .with("Content-Disposition", "inline")
    }

    private static func missing(_ name: String) -> WebAnswer {
        .line(404, "There is no file “\(ContentWords.line(name).prefix(200))”.\n")
    }
}

/// What our own page of the audience loads and listens to. Open to anybody.
struct AudienceRoutes {
    let desk: ContentDesk

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/audience/concert", .anybody) { [desk] _ in
                desk.served.map { .document($0.audience) }
                    ?? .refused(404, "no-concert", "There is no concert yet; come back when the hall opens.")
            },
            .stream("/api/audience/events", .anybody, desk.audience),
        ]
    }
}
