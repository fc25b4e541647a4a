import Concert
import Score
import WebServer

/// The bodies of `getData.php`: every piece written and packed once, then put together as it is asked for.
package struct PieceTexts: Sendable {
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
    package init(_ pieces: [PieceContent], tag: String, reusing old: PieceTexts? = nil) {
        self.pieces = pieces
        self.tag = tag
        index = PieceNameIndex(pieces.map(\.name))
        let known = old.map { old in
            Dictionary(zip(old.pieces, old.texts), uniquingKeysWith: { first, _ in first })
        }
        texts = pieces.map { known?[$0] ?? PackedPart(ContentXMLWriter.bytes(of: $0)) }
    }

    /// The pieces of a query such as `database1=NAME&database2=NAME`, each once, in the order they were first asked.
    package func answer(_ query: String) -> WebResponse {
        let names = Self.names(in: query)
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
                let words = CleanText.line(name ?? "?").prefix(200)
                return .line(404, "There is no piece “\(words)”; /getPieces.php lists those there are.\n")
            }
            if isAsked.insert(piece).inserted { asked.append(piece) }
        }
        return .joined(
            [Self.head] + asked.map { texts[$0] } + [Self.foot], contentType: "application/xml",
            tag: "data-\(tag)-" + asked.map(String.init).joined(separator: "."))
    }
}

extension PieceTexts {
    /// The values of `database` and a number, in the order they come; nil for one that is no text.
    ///
    /// By bytes: a stranger may send 16 KB of it, as often as he likes.
    package static func names(in query: String) -> [String?] {
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
}

extension WebResponse {
    /// A sentence, or what apps read as one line.
    package static func line(_ status: Int, _ text: String) -> WebResponse {
        WebResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }
}
