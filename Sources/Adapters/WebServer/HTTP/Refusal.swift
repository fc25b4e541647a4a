import Basics

/// An error that answers the request in which it is thrown.
public protocol AnsweringError: Error {
    var response: WebResponse { get }
}

/// Why a request is refused: an HTTP status, a code for programs, and a sentence that says what is wrong and what to
/// do.
public struct Refusal: AnsweringError, Explained, Equatable {
    public var code: String
    public var sentence: String
    public var response: WebResponse

    public init(_ status: Int, _ code: String, _ sentence: String) {
        self.init(code, sentence, .refused(status, code, sentence))
    }

    /// - Parameter fields: an object whose fields the answer has besides `error` and `code`, such as what is there now.
    public init(_ status: Int, _ code: String, _ sentence: String, with fields: some Encodable) {
        var (body, rest) = (JSONBody.encode(["error": sentence, "code": code]), JSONBody.encode(fields))
        // The two objects become one.
        if rest.count > 2 {
            rest[0] = UInt8(ascii: ",")
            body = body.dropLast() + rest
        }
        self.init(code, sentence, .json(body, status: status))
    }

    /// - Parameter response: an answer that holds more than the code and the sentence.
    public init(_ code: String, _ sentence: String, _ response: WebResponse) {
        (self.code, self.sentence, self.response) = (code, sentence, response)
    }
}

extension JSONFault: AnsweringError {
    public var response: WebResponse { errorResponse }
}

extension WebRoute {
    /// A copy of the route that also answers errors of what its service uses.
    /// - Parameter explain: what an error means here; nil for an error of another kind.
    public func explaining(_ explain: @escaping @Sendable (any Error) -> (any AnsweringError)?) -> WebRoute {
        var route = self
        route.explain = explain
        return route
    }

    /// The answer to a request: that of the handler, or that of the error with which it ended.
    /// - Precondition: the route is no stream.
    func response(
        to request: WebRequest, reportUnknown: (any Error) -> Void = { _ in }
    ) async -> WebResponse {
        do {
            switch handler {
            case .answer(let answer), .upload(_, let answer): return try await answer(request)
            case .stream, .carrier, .personalStreams: preconditionFailure("a stream has no single answer")
            }
        } catch {
            if let known = error as? any AnsweringError ?? explain(error) { return known.response }
            reportUnknown(error)
            return .failed
        }
    }
}

extension [WebRoute] {
    /// The routes with ``WebRoute/explaining(_:)``.
    public func explaining(
        _ explain: @escaping @Sendable (any Error) -> (any AnsweringError)?
    ) -> [WebRoute] { map { $0.explaining(explain) } }
}
