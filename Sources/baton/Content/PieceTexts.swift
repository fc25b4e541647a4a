import Concert
import Score
import WebServer

/// The bodies of `getData.php`: every piece written and packed once, then put together as it is asked for.
struct PieceTexts: Sendable {
    /// In one question: more than a concert has movements.
    static let mostNames = 200
    private static let head = PackedPart(ContentXMLWriter.concertHead)
    private static let foot = PackedPart(ContentXMLWriter.concertFoot)

    private let pieces: [PieceContent]
    private let texts: [PackedPart]
    private let index: PieceNameIndex
    /// Of all pieces together; changes when one of them does.
    private let tag: String

    /// Cost: writes and packs the pieces that `old` has not; some milliseconds for 100 kB.
    init(_ pieces: [PieceContent], tag: String, reusing old: PieceTexts? = nil) {
        self.pieces = pieces
        self.tag = tag
        index = PieceNameIndex(pieces.map(\.name))
        let known = old.map { old in
            Dictionary(zip(old.pieces, old.texts), uniquingKeysWith: { first, _ in first })
        }
        texts = pieces.map { known?[$0] ?? PackedPart(ContentXMLWriter.bytes(of: $0)) }
    }

    /// The pieces of a query such as `database1=NAME&database2=NAME`, each once, in the order they were first asked.
    func answer(_ query: String) -> WebAnswer {
        let names = ContentFixedPaths.names(in: query)
        guard !names.isEmpty else {
            return .line(
                400, "No piece is named; ask /getData.php?database1=NAME, with a name of /getPieces.php.\n")
        }
        guard names.count <= Self.mostNames else {
            return .line(400, "More than \(Self.mostNames) pieces are named; ask for fewer.\n")
        }
        var asked: [Int] = []
        var isAsked: Set<Int> = []
        for name in names {
            guard let name, let piece = index.match(name) else {
                let words = ContentWords.line(name ?? "?").prefix(200)
                return .line(404, "There is no piece “\(words)”; /getPieces.php lists those there are.\n")
            }
            if isAsked.insert(piece).inserted { asked.append(piece) }
        }
        return .joined(
            [Self.head] + asked.map { texts[$0] } + [Self.foot], contentType: "application/xml",
            tag: "data-\(tag)-" + asked.map(String.init).joined(separator: "."))
    }
}

extension WebAnswer {
    /// A sentence, or what apps read as one line.
    static func line(_ status: Int, _ text: String) -> WebAnswer {
        WebAnswer(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }
}
