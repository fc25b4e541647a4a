import Hummingbird
import NIOCore

/// A response that is complete except for the turn to send its body.
struct PreparedResponse {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    /// Nil if this response never has a body.
    var body: OutgoingBody?
}

extension RequestResponder {
    /// Makes a small response.
    func makePlainResponse(to request: Request, _ answer: WebResponse) -> Response {
        makeImmediateResponse(to: request, preparePlainResponse(to: request, answer))
    }

    func preparePlainResponse(to request: Request, _ answer: WebResponse) -> PreparedResponse {
        var answer = answer
        if answer.status >= 400, !answer.contentType.hasPrefix("text/html") {
            answer.body = MachinePathRedaction.redactPaths(in: answer.body)
        }
        var fields: HTTPFields = [.contentType: answer.contentType]
        for field in answer.headerFields {
            guard let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) else { continue }
            fields.append(HTTPField(name: name, value: field.value))
        }
        // If the client already has this version, it gets the status 304 without a body.
        if answer.status == 200, let tag = fields[.eTag], let held = request.headers[.ifNoneMatch],
            Self.containsEntityTag(held, tag)
        {
            return PreparedResponse(status: .notModified, headers: fields)
        }
        return PreparedResponse(
            status: .init(code: answer.status), headers: fields, body: OutgoingBody(.own(answer.body)))
    }

    /// Prepares the response with a page, or with the status 304 if the browser already has this version of the page.
    func preparePageResponse(to request: Request, _ page: WebPageFile) -> PreparedResponse {
        prepareSharedResponse(
            to: request, page.contentType, page.entityTag, [page.body], gzipped: page.gzippedBody.map { [$0] }
        )
    }

    /// Prepares the response with a text that is joined from several parts. None of the parts is copied.
    func prepareJoinedTextResponse(to request: Request, _ joined: JoinedTextParts, _ contentType: String)
        -> PreparedResponse
    {
        prepareSharedResponse(
            to: request, contentType, joined.entityTag, joined.parts.map(\.plain),
            gzipped: joined.byteCount > 512 ? joined.gzippedBuffers : nil)
    }

    private func prepareSharedResponse(
        to request: Request, _ contentType: String, _ entityTag: String, _ plain: [ByteBuffer],
        gzipped: @autoclosure () -> [ByteBuffer]?
    ) -> PreparedResponse {
        // The entity tag is weak, because the compressed and the plain form share it.
        var fields: HTTPFields = [
            .contentType: contentType, .eTag: "W/" + entityTag, .cacheControl: "no-cache",
            .vary: "Accept-Encoding",
        ]
        if let held = request.headers[.ifNoneMatch], Self.containsEntityTag(held, entityTag) {
            return PreparedResponse(status: .notModified, headers: fields)
        }
        var buffers = plain
        if Self.acceptsGzip(request.headers[.acceptEncoding] ?? ""), let gzipped = gzipped() {
            fields[.contentEncoding] = "gzip"
            buffers = gzipped
        }
        return PreparedResponse(status: .ok, headers: fields, body: OutgoingBody(.shared(buffers)))
    }

    /// Makes a response that is sent with a single write.
    private func makeImmediateResponse(to request: Request, _ prepared: PreparedResponse) -> Response {
        guard let body = prepared.body else {
            return Response(status: prepared.status, headers: prepared.headers)
        }
        var headers = prepared.headers
        headers[.contentLength] = String(body.byteCount)
        let isHead = request.method == .head
        return Response(
            status: prepared.status, headers: headers,
            body: isHead ? .init() : .init(byteBuffer: body.asSingleWrite ?? ByteBuffer()))
    }

    /// Makes the response; one with a large body lacks the body, see ``sendingLargeBodyInTurn(_:to:_:)``.
    func makeResponse(
        to request: Request, _ prepared: PreparedResponse, _ visitor: ResponseVisitor, _ context: WebContext
    ) async -> Response {
        guard let body = prepared.body, request.method != .head, body.asSingleWrite == nil else {
            return makeImmediateResponse(to: request, prepared)
        }
        context.turns.waitingBody = (body, await makeBodyHolder(visitor, request, context))
        var headers = prepared.headers
        headers[.contentLength] = String(body.byteCount)
        return Response(status: prepared.status, headers: headers)
    }

    /// Gives a response its large body, if it has one. The visitor waits for a turn, and keeps it until the body is sent.
    func sendingLargeBodyInTurn(
        _ made: Response, to request: Request, _ context: WebContext
    ) async -> Response {
        guard let (body, holder) = context.turns.waitingBody else { return made }
        guard let turn = await bodyQueue.waitForTurn(for: holder, placeCount: body.placeCount) else {
            return makePlainResponse(to: request, .serverBusy)
        }
        guard let reader = BodyReader(body) else { return makePlainResponse(to: request, .notFound) }
        context.turns.waitingBody = nil
        let (transmitters, channel) = (bodyTransmitters, context.channel)
        // The turn lasts as long as the body exists, even if the body is never written.
        return Response(
            status: made.status, headers: made.headers,
            body: ResponseBody(contentLength: body.byteCount) { [turn] writer in
                if channel is any SocketOptionProvider {
                    try await transmitters.send(reader, for: holder, on: channel)
                } else {
                    try await Self.write(reader, writer)
                }
                try await writer.finish(nil)
                withExtendedLifetime(turn) {}
            })
    }

    /// Writes a body on a connection without a socket, in tests.
    private static func write(_ reader: BodyReader, _ writer: any ResponseBodyWriter) async throws {
        var (reader, writer) = (reader, writer)
        while let chunk = reader.takeNextChunk() {
            switch chunk {
            case .ready(let buffer): try await writer.write(buffer)
            case .onDisk(let file, let offset, let count):
                try await writer.write(try file.read(at: offset, count: count))
            }
        }
    }

    /// Makes the last response of a connection, for a request whose rest is not read because it may be endless.
    ///
    /// The connection is closed two seconds later, so that the response can arrive.
    func makeConnectionClosingResponse(_ answer: WebResponse, _ request: Request, _ context: WebContext)
        -> Response
    {
        let channel = context.channel
        channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(mode: .all, promise: nil) }
        var response = makePlainResponse(to: request, answer)
        response.headers[.connection] = "close"
        return response
    }

    /// True if a list of entity tags (the header field If-None-Match) contains this tag or `*`.
    static func containsEntityTag(_ list: String, _ tag: String) -> Bool {
        list.split(separator: ",").contains { entry in
            let entry = entry.trimmingPrefix { $0 == " " }
            let plain = entry.hasPrefix("W/") ? entry.dropFirst(2) : entry
            return plain == tag || plain == "*"
        }
    }

    private static func acceptsGzip(_ list: String) -> Bool {
        list.lowercased().split(separator: ",").contains { entry in
            let words = entry.filter { $0 != " " }.split(separator: ";")
            guard words.first == "gzip" || words.first == "*" else { return false }
            return !words.dropFirst().contains {
                $0 == "q=0" || $0.hasPrefix("q=0.0") && Double($0.dropFirst(2)) == 0
            }
        }
    }
}
