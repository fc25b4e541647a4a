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
    ///
    /// By bytes: a stranger may send 16 KB of it, as often as he likes.
    static func names(in query: String) -> [String?] {
        query.utf8.split(separator: UInt8(ascii: "&")).compactMap { pair -> String?? in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let (key, value) = (pair[..<equals], pair[pair.index(after: equals)...])
            guard key.starts(with: "database".utf8), !value.isEmpty,
                key.dropFirst(8).allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            return .some(decoded(value))
        }
    }

    /// Forms write a blank as a plus sign; a plus sign itself comes percent-encoded.
    private static func decoded(_ value: Substring.UTF8View) -> String? {
        var (bytes, rest) = ([UInt8](), value)
        bytes.reserveCapacity(value.count)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
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
