import Concert
import Score
import WebServer

/// Answers the phone app's requests to `getData.php`. Each piece is written as XML and compressed once; a response
/// joins the requested pieces.
package struct PieceXMLCache: Sendable {
    /// The largest number of pieces in one request, more than any concert has movements.
    static let maximumRequestedPieces = 200
    private static let concertHeadXML = CompressedTextPart(ContentXMLWriter.concertXMLHead)
    private static let concertFootXML = CompressedTextPart(ContentXMLWriter.concertXMLFoot)

    private let pieces: [PieceContent]
    private let compressedPieceTexts: [CompressedTextPart]
    private let pieceNameIndex: PieceNameIndex
    /// The cache tag of all pieces together, which changes when any piece does.
    private let cacheTag: String

    /// Writes and compresses the pieces that `old` does not hold, which takes some milliseconds for 100 kB.
    package init(_ pieces: [PieceContent], cacheTag: String, reusing old: PieceXMLCache? = nil) {
        self.pieces = pieces
        self.cacheTag = cacheTag
        pieceNameIndex = PieceNameIndex(pieces.map(\.name))
        let known = old.map { old in
            Dictionary(zip(old.pieces, old.compressedPieceTexts), uniquingKeysWith: { first, _ in first })
        }
        compressedPieceTexts = pieces.map {
            known?[$0] ?? CompressedTextPart(ContentXMLWriter.pieceElementBytes(of: $0))
        }
    }

    /// Makes the response to a query such as `database1=NAME&database2=NAME`: each piece once, in the order of the
    /// query.
    package func makePiecesResponse(_ query: String) -> WebResponse {
        let names = Self.parsePieceNames(in: query)
        guard !names.isEmpty else {
            return .plainText(
                400,
                "No piece is named; request /getData.php?database1=NAME with a name from /getPieces.php.\n")
        }
        guard names.count <= Self.maximumRequestedPieces else {
            return .plainText(
                400, "More than \(Self.maximumRequestedPieces) pieces are named; ask for fewer.\n")
        }
        var asked: [Int] = []
        var isAsked: Set<Int> = []
        for name in names {
            guard let name, let piece = pieceNameIndex.match(name) else {
                let words = CleanText.cleanedLine(name ?? "?").prefix(200)
                return .plainText(404, "There is no piece “\(words)”; /getPieces.php lists all pieces.\n")
            }
            if isAsked.insert(piece).inserted { asked.append(piece) }
        }
        return .fromJoinedParts(
            [Self.concertHeadXML] + asked.map { compressedPieceTexts[$0] } + [Self.concertFootXML],
            contentType: "application/xml",
            tag: "data-\(cacheTag)-" + asked.map(String.init).joined(separator: "."))
    }
}

extension PieceXMLCache {
    /// The values of `database1`, `database2` and so on, in order; nil for a value that is not valid text.
    ///
    /// This works on bytes for speed, because anybody may send such queries of 16 KB.
    package static func parsePieceNames(in query: String) -> [String?] {
        query.utf8.split(separator: UInt8(ascii: "&")).compactMap { pair -> String?? in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let (key, value) = (pair[..<equals], pair[pair.index(after: equals)...])
            guard key.starts(with: "database".utf8), !value.isEmpty,
                key.dropFirst(8).allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            return .some(decodeFormValue(value))
        }
    }

    /// Decodes a form value: a space is sent as a plus sign, a plus sign percent-encoded.
    private static func decodeFormValue(_ value: Substring.UTF8View) -> String? {
        var (bytes, rest) = ([UInt8](), value)
        bytes.reserveCapacity(value.count)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexadecimalDigitValue),
                    let low = rest.popFirst().flatMap(hexadecimalDigitValue)
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimalDigitValue(_ byte: UInt8) -> UInt8? {
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
