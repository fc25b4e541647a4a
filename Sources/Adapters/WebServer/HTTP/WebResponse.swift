import Foundation

/// The answer of a route, ready to be sent.
public struct WebResponse: Equatable, Sendable {
    public var status: Int
    public var contentType: String
    public var body: [UInt8]
    /// Additional header fields, name and value.
    public var fields: [Field] = []
    /// Used instead of `body`: a page held in memory, parts of a text, or a file on the disk.
    var page: Page?
    var joined: JoinedParts?
    var file: WebFile?

    public struct Field: Equatable, Sendable {
        public var name: String
        public var value: String
    }

    public init(status: Int = 200, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// - Parameter encoded: one JSON value.
    public static func json(_ encoded: [UInt8], status: Int = 200) -> WebResponse {
        WebResponse(status: status, contentType: "application/json", body: encoded)
    }

    public static func json(_ value: some Encodable, status: Int = 200) -> WebResponse {
        .json(JSONBody.encode(value), status: status)
    }

    /// The answer `{"ok":true}`.
    public static let done = WebResponse.json(["ok": true])

    /// A document that many clients fetch: compressed once, shared by all, and not sent again to a client that has
    /// it.
    public static func document(_ document: WebDocument) -> WebResponse {
        var answer = WebResponse(contentType: document.page.contentType, body: [])
        answer.page = document.page
        return answer
    }

    /// Parts that form one text, shared with other answers; not sent again to a client that has it.
    /// - Parameter tag: changes with the text; without quotes.
    public static func joined(_ parts: [PackedPart], contentType: String, tag: String) -> WebResponse {
        var answer = WebResponse(contentType: contentType, body: [])
        answer.joined = JoinedParts(parts: parts, tag: "\"\(tag)\"")
        return answer
    }

    /// A file on the disk; byte ranges are supported.
    /// - Parameter tag: changes with the content; letters and digits.
    public static func file(_ path: String, contentType: String, tag: String) -> WebResponse {
        var answer = WebResponse(contentType: contentType, body: [])
        answer.file = WebFile(path: path, tag: "\"\(tag)\"")
        return answer
    }

    /// A text for the browser to save as `file`.
    public static func csv(_ text: String, file: String) -> WebResponse {
        let answer = WebResponse(contentType: "text/csv; charset=utf-8", body: Array(text.utf8))
        let safe = file.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "-" }
        return answer.with("Content-Disposition", "attachment; filename=\"\(String(safe))\"")
    }

    /// True for a refusal because there is no place now; strangers can cause any number of these.
    var isTemporaryRefusal: Bool { status == 503 && fields.contains { $0.name == "Retry-After" } }

    /// A refusal.
    /// - Parameters:
    ///   - code: for programs: lower-case words joined by dashes.
    ///   - sentence: for people: what is wrong and what to do.
    public static func refused(_ status: Int, _ code: String, _ sentence: String) -> WebResponse {
        .json(["error": sentence, "code": code], status: status)
    }

    /// The sentence for people at other machines: paths of this machine are replaced by their last parts.
    public static func withoutMachinePaths(_ sentence: String) -> String {
        String(decoding: MachinePathRedaction.hidden(in: Array(sentence.utf8)), as: UTF8.self)
    }

    /// A copy with a further header field; a value with a line break is left out when it is sent.
    public func with(_ name: String, _ value: String) -> WebResponse {
        var answer = self
        answer.fields.append(Field(name: name, value: value))
        return answer
    }
}

extension WebResponse {
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
