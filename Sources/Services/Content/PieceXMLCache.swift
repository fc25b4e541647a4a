import Concert
import Score
import WebServer

/// Answers the phone app's requests to `getData.php`. Each piece is written as XML and compressed once; a response
/// joins the requested pieces.
package struct PieceXMLCache: Sendable {
    /// The largest number of pieces in one request, more than any concert has movements.
    static let mostNames = 200
    private static let head = CompressedTextPart(ContentXMLWriter.concertHead)
    private static let foot = CompressedTextPart(ContentXMLWriter.concertFoot)

    private let pieces: [PieceContent]
    private let texts: [CompressedTextPart]
    private let index: PieceNameIndex
    /// The cache tag of all pieces together, which changes when any piece does.
    private let tag: String

    /// Writes and compresses the pieces that `old` does not hold, which takes some milliseconds for 100 kB.
    package init(_ pieces: [PieceContent], tag: String, reusing old: PieceXMLCache? = nil) {
        self.pieces = pieces
        self.tag = tag
        index = PieceNameIndex(pieces.map(\.name))
        let known = old.map { old in
            Dictionary(zip(old.pieces, old.texts), uniquingKeysWith: { first, _ in first })
        }
        texts = pieces.map { known?[$0] ?? CompressedTextPart(ContentXMLWriter.bytes(of: $0)) }
    }

    /// Makes the response to a query such as `database1=NAME&database2=NAME`: each piece once, in the order of the
    /// query.
    package func answer(_ query: String) -> WebResponse {
        let names = Self.names(in: query)
        guard !names.isEmpty else {
            return .plainText(
                400,
                "No piece is named; request /getData.php?database1=NAME with a name from /getPieces.php.\n")
        }
        guard names.count <= Self.mostNames else {
            return .plainText(400, "More than \(Self.mostNames) pieces are named; ask for fewer.\n")
        }
        var asked: [Int] = []
        var isAsked: Set<Int> = []
        for name in names {
            guard let name, let piece = index.match(name) else {
                let words = CleanText.line(name ?? "?").prefix(200)
                return .plainText(404, "There is no piece “\(words)”; /getPieces.php lists all pieces.\n")
            }
            if isAsked.insert(piece).inserted { asked.append(piece) }
        }
        return .joined(
            [Self.head] + asked.map { texts[$0] } + [Self.foot], contentType: "application/xml",
            tag: "data-\(tag)-" + asked.map(String.init).joined(separator: "."))
    }
}

extension PieceXMLCache {
    /// The values of `database1`, `database2` and so on, in order; nil for a value that is not valid text.
    ///
    /// This works on bytes for speed, because anybody may send such queries of 16 KB.
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

    /// Decodes a form value: a space is sent as a plus sign, a plus sign percent-encoded.
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
    /// Makes a plain-text response: an error sentence, or a line that apps read.
    package static func plainText(_ status: Int, _ text: String) -> WebResponse {
        WebResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8))
    }
}
