import Foundation
import Platform

/// The answer of a route, complete except for the HTTP framing.
public struct WebResponse: Equatable, Sendable {
    public var status: Int
    public var contentType: String
    public var body: [UInt8]
    /// The additional header fields, each with name and value.
    public var headerFields: [HeaderField] = []
    /// A page held in memory that is sent instead of `body`. At most one of `pageFile`, `joinedText` and `diskFile` is
    /// set.
    var pageFile: WebPageFile?
    /// A text joined from parts that is sent instead of `body`.
    var joinedText: JoinedTextParts?
    /// A file on the disk that is sent instead of `body`.
    var diskFile: ServedDiskFile?

    public struct HeaderField: Equatable, Sendable {
        public var name: String
        public var value: String
    }

    public init(status: Int = 200, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// A JSON response.
    /// - Parameter encoded: one JSON value.
    public static func json(_ encoded: [UInt8], status: Int = 200) -> WebResponse {
        WebResponse(status: status, contentType: "application/json", body: encoded)
    }

    public static func json(_ value: some Encodable, status: Int = 200) -> WebResponse {
        .json(JSONBody.encode(value), status: status)
    }

    /// The response `{"ok":true}` to a request that succeeded.
    public static let succeeded = WebResponse.json(["ok": true])

    /// A document that many clients fetch. It is compressed once and shared by all responses; a client that already has
    /// it gets the status 304.
    public static func document(_ document: PrecompressedDocument) -> WebResponse {
        var answer = WebResponse(contentType: document.pageFile.contentType, body: [])
        answer.pageFile = document.pageFile
        return answer
    }

    /// A text joined from parts that other responses share. A client that already has it gets the status 304.
    /// - Parameter tag: identifies the version of the text; without quotation marks.
    public static func fromJoinedParts(_ parts: [CompressedTextPart], contentType: String, tag: String)
        -> WebResponse
    {
        var answer = WebResponse(contentType: contentType, body: [])
        answer.joinedText = JoinedTextParts(parts: parts, entityTag: "\"\(tag)\"")
        return answer
    }

    /// A file on the disk, of which clients may request byte ranges.
    /// - Parameter tag: identifies the version of the content; letters and digits.
    public static func file(_ path: String, contentType: String, tag: String) -> WebResponse {
        var answer = WebResponse(contentType: contentType, body: [])
        answer.diskFile = ServedDiskFile(path: path, entityTag: "\"\(tag)\"")
        return answer
    }

    /// A CSV text that the browser saves under the file name `file`.
    public static func csvDownload(_ text: String, file: String) -> WebResponse {
        let answer = WebResponse(contentType: "text/csv; charset=utf-8", body: Array(text.utf8))
        let safe = file.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-" }
        return answer.withHeader("Content-Disposition", "attachment; filename=\"\(String(safe))\"")
    }

    /// True if the server refuses only because it is too busy now. Strangers can cause any number of such responses.
    var isTemporaryRefusal: Bool { status == 503 && headerFields.contains { $0.name == Self.retryAfter } }

    /// A refusal as JSON.
    /// - Parameters:
    ///   - code: identifies the reason for programs: lower-case words joined by hyphens.
    ///   - sentence: says for people what is wrong and what to do.
    public static func refused(_ status: Int, _ code: String, _ sentence: String) -> WebResponse {
        let answer = WebResponse.json(["error": sentence, "code": code], status: status)
        return status == 503 && temporaryCodes.contains(code)
            ? answer.withHeader(retryAfter, temporarySeconds) : answer
    }

    private static let retryAfter = "Retry-After"
    /// The codes of refusals that are over soon. Programs may ask again after so many seconds.
    private static let (temporaryCodes, temporarySeconds) = (Set(["busy", "full"]), "5")

    /// Replaces this machine's file paths in a sentence by their last parts, for readers at other machines.
    public static func removeMachinePaths(_ sentence: String) -> String {
        String(decoding: MachinePathRedaction.redactPaths(in: Array(sentence.utf8)), as: UTF8.self)
    }

    /// A copy with an additional header field. A value with a line break is invalid and is left out when the response
    /// is sent.
    public func withHeader(_ name: String, _ value: String) -> WebResponse {
        var answer = self
        if name == Self.retryAfter { answer.headerFields.removeAll { $0.name == name } }
        answer.headerFields.append(HeaderField(name: name, value: value))
        return answer
    }
}

extension WebResponse {
    /// A copy for content that not everybody may see. The browser keeps it and asks each time whether it may still show
    /// it: the next person at a shared tablet, and whoever has lost the right, sees nothing of it.
    public var forOnePerson: WebResponse {
        let answer = withHeader("Cache-Control", "private, no-cache")
        guard !body.isEmpty, !headerFields.contains(where: { $0.name == "ETag" }) else { return answer }
        return answer.withHeader("ETag", "\"\(Digest(of: body).description.prefix(32))\"")
    }

    public static let signInFirst = refused(401, "sign-in", "Sign in first.")
    static let notFound = refused(404, "not-found", "There is nothing at this address.")
    static let failed = refused(
        500, "failed", "An error occurred inside the server; its log has the details. Try again.")

    static func tooLarge(limitBytes: Int) -> WebResponse {
        refused(
            413, "too-large", "The request is larger than the \(limitBytes) bytes allowed here; send less.")
    }

    static let tooSlow = refused(
        408, "too-slow", "The request did not arrive in time; check the connection and try again.")
}
