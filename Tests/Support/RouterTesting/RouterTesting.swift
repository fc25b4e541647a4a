public import Hummingbird
import Logging
public import NIOCore
import NIOEmbedded
import Synchronization

/// What a server answered, whole.
public struct TestResponse: Sendable {
    public var status: HTTPResponse.Status
    public var headers: HTTPFields
    public var body: ByteBuffer
}

/// Asks a server's routes without a network.
public struct TestClient: Sendable {
    fileprivate let respond: @Sendable (Request) async throws -> Response

    /// Sends one request and hands its answer on.
    /// - Parameter uri: the path and its parameters.
    @discardableResult public func execute<Value>(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil,
        check: (TestResponse) async throws -> Value
    ) async throws -> Value {
        var headers = headers
        if let body { headers[.contentLength] = "\(body.readableBytes)" }
        let request = Request(
            head: HTTPRequest(
                method: method, scheme: "http", authority: "localhost", path: uri, headerFields: headers),
            body: RequestBody(asyncSequence: Chunks(rest: body ?? ByteBuffer())))
        let response = try await respond(request)
        let written = CollectedBody()
        try await response.body.write(written)
        return try await check(
            TestResponse(
                status: response.status, headers: response.headers, body: written.whole.withLock { $0 }))
    }
}

extension ApplicationProtocol
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    /// Runs a test that asks this application's routes. The application does not listen and starts no service.
    public func test<Value>(_ work: (TestClient) async throws -> Value) async throws -> Value {
        let (responder, logger) = (try await responder, logger)
        return try await work(
            TestClient { request in
                do {
                    return try await responder.respond(
                        to: request,
                        context: Responder.Context(
                            source: ApplicationRequestContextSource(
                                channel: NIOAsyncTestingChannel(), logger: logger)))
                } catch {
                    return Response(status: .internalServerError)
                }
            })
    }
}

/// A body as it comes from the network: at most 32 KiB at a time.
private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var rest: ByteBuffer

    func makeAsyncIterator() -> Self { self }

    mutating func next() async -> ByteBuffer? {
        rest.readableBytes == 0 ? nil : rest.readSlice(length: Swift.min(32 << 10, rest.readableBytes))
    }
}

private final class CollectedBody: ResponseBodyWriter {
    let whole = Mutex(ByteBuffer())

    func write(_ buffer: ByteBuffer) async throws {
        whole.withLock { $0.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailers: HTTPFields?) async throws {}
}
