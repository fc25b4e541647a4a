import Basics
import WebServer

/// Converts tabs between file formats; the formats themselves lie elsewhere.
package protocol TabConverting: Sendable {
    /// - Parameters:
    ///   - fileName: the file's name, whose ending says its format.
    ///   - ending: the ending of the wanted format, such as `json` or `musicxml`.
    /// - Throws: ``ExplainedError`` with a sentence for the person.
    func convert(
        _ bytes: [UInt8], fileName: String, to ending: String
    ) async throws -> ConvertedTab
}

/// A tab in another format.
package struct ConvertedTab: Sendable {
    package var bytes: [UInt8]
    package var contentType: String
    /// Sentences about parts of the file that the other format cannot represent.
    package var remarks: [String]

    package init(bytes: [UInt8], contentType: String, remarks: [String]) {
        self.bytes = bytes
        self.contentType = contentType
        self.remarks = remarks
    }
}

/// The route by which the page reads files of other programs, and writes files for them.
struct TabConvertRoute {
    /// The largest file in bytes, which the page says too (`files.js`).
    static let mostBytes = 16 << 20
    /// The numbers of files that may be converted at the same time. Each may take a processor for a second.
    static let places = ResourceQuota.Limits(total: 3, reserve: 1, perAddress: 2, perAccount: 1)

    let converter: any TabConverting
    private let quota = SharedResourceQuota(places)

    init(_ converter: any TabConverting) { self.converter = converter }

    /// The largest file of somebody who is not signed in. The files of tabs have some 0.1 MB.
    static let mostBytesOfStrangers = 1 << 20

    /// The address for whoever is signed in, and the one for everybody else: nobody needs to sign in to write and play.
    var routes: [WebRoute] {
        [
            route("/api/practice/convert", .signedIn, Self.mostBytes),
            route("/api/practice/convert/visitor", .anybody, Self.mostBytesOfStrangers).identifyingVisitor,
        ]
    }

    private func route(_ path: String, _ access: RouteAccess, _ mostBytes: Int) -> WebRoute {
        WebRoute(.post, path, access, bodyLimitBytes: mostBytes) { request in
            let name = request.queryParameters["name"] ?? ""
            let ending = request.queryParameters["to"] ?? "json"
            guard (1...200).contains(name.count), (1...12).contains(ending.count) else {
                return .refused(
                    400, "bad-request", "Say the file's name and the ending of the wanted format.")
            }
            let holder = ResourceQuota.Holder(
                address: request.visitorAddress, account: request.person?.id,
                trustLevel: request.person.map { WebRole.operators.contains($0.role) } ?? false
                    ? .staff : .anybody)
            guard let place = try? quota.takePlace(holder) else {
                return .refused(
                    503, "busy", "Other files are being converted at this moment; try again in a few seconds."
                ).withHeader("Retry-After", "3")
            }
            defer { place.giveBackPlace() }
            do {
                let converted = try await converter.convert(request.body, fileName: name, to: ending)
                return WebResponse(contentType: converted.contentType, body: converted.bytes)
                    .withHeader("X-Baton-Remarks", Self.headerText(converted.remarks))
            } catch {
                return .refused(422, "bad-file", WebResponse.removeMachinePaths(error.explanation))
            }
        }
    }

    /// The longest field in bytes; what is longer is cut at the end of a letter.
    static let mostHeaderBytes = 4_000

    /// The first remarks, a line each, for a header field: UTF-8 whose bytes outside plain ASCII, and `%`, are written
    /// as `%C3%BC`, as in a web address.
    static func headerText(_ remarks: [String]) -> String {
        var text = ""
        let lines = remarks.prefix(8).map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        for letter in lines.joined(separator: "\n") {
            let encoded = letter.utf8.map(encodeByte).joined()
            guard text.utf8.count + encoded.utf8.count <= mostHeaderBytes else { break }
            text += encoded
        }
        return text
    }

    private static func encodeByte(_ byte: UInt8) -> String {
        switch byte {
        // Between two remarks.
        case 0x0A: "%0A"
        case 0..<0x20, 0x7F: " "
        case UInt8(ascii: "%"), 0x80...:
            "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        default: String(Unicode.Scalar(byte))
        }
    }
}
