import Hummingbird
import NIOCore

extension RequestResponder {
    func makePlainResponse(to request: Request, _ answer: WebResponse) -> Response {
        var answer = answer
        if answer.status >= 400, !answer.contentType.hasPrefix("text/html") {
            answer.body = MachinePathRedaction.redactPaths(in: answer.body)
        }
        var fields: HTTPFields = [
            .contentType: answer.contentType, .contentLength: String(answer.body.count),
        ]
        for field in answer.headerFields {
            guard let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) else { continue }
            fields.append(HTTPField(name: name, value: field.value))
        }
        // If the client already has this version, it gets the status 304 without a body.
        if answer.status == 200, let tag = fields[.eTag], let held = request.headers[.ifNoneMatch],
            Self.containsEntityTag(held, tag)
        {
            fields[.contentLength] = nil
            return Response(status: .notModified, headers: fields)
        }
        let isHead = request.method == .head
        return Response(
            status: .init(code: answer.status), headers: fields,
            body: isHead ? .init() : .init(byteBuffer: ByteBuffer(bytes: answer.body)))
    }

    /// Makes the response with a page, or with the status 304 if the browser already has this version of the page.
    /// - Parameter turn: kept until the page is sent.
    func makePageResponse(
        to request: Request, _ page: WebPageFile, _ turn: AnonymousRequestQueue.Turn? = nil
    ) -> Response {
        // The entity tag is weak, because the compressed and the plain form share it.
        let tag = "W/" + page.entityTag
        var fields: HTTPFields = [
            .contentType: page.contentType, .eTag: tag, .cacheControl: "no-cache", .vary: "Accept-Encoding",
        ]
        if let held = request.headers[.ifNoneMatch], Self.containsEntityTag(held, page.entityTag) {
            return Response(status: .notModified, headers: fields)
        }
        var body = page.body
        if let zipped = page.gzippedBody, Self.acceptsGzip(request.headers[.acceptEncoding] ?? "") {
            fields[.contentEncoding] = "gzip"
            body = zipped
        }
        fields[.contentLength] = String(body.readableBytes)
        return Response(
            status: .ok, headers: fields,
            body: request.method == .head ? .init() : Self.makeResponseBody(of: [body], turn))
    }

    /// Sends shared buffers in small pieces. TLS copies everything that is written, and a slow reader must not occupy
    /// more memory than ``ServedDiskFile/chunkBytes`` and the connection's buffer.
    /// - Parameter turn: kept until everything is sent.
    private static func makeResponseBody(of buffers: [ByteBuffer], _ turn: AnonymousRequestQueue.Turn?)
        -> ResponseBody
    {
        ResponseBody(contentLength: buffers.reduce(0) { $0 + $1.readableBytes }) { writer in
            for buffer in buffers {
                var rest = buffer
                while rest.readableBytes > 0 {
                    let count = min(ServedDiskFile.chunkBytes, rest.readableBytes)
                    guard let part = rest.readSlice(length: count) else { break }
                    try await writer.write(part)
                }
            }
            try await writer.finish(nil)
            withExtendedLifetime(turn) {}
        }
    }

    /// Makes the response with a text that is joined from several parts. None of the parts is copied.
    /// - Parameter turn: kept until the text is sent.
    func makeJoinedTextResponse(
        to request: Request, _ joined: JoinedTextParts, _ contentType: String,
        _ turn: AnonymousRequestQueue.Turn?
    ) -> Response {
        // The entity tag is weak, because the compressed and the plain form share it.
        var fields: HTTPFields = [
            .contentType: contentType, .eTag: "W/" + joined.entityTag, .cacheControl: "no-cache",
            .vary: "Accept-Encoding",
        ]
        if let held = request.headers[.ifNoneMatch], Self.containsEntityTag(held, joined.entityTag) {
            return Response(status: .notModified, headers: fields)
        }
        var buffers = joined.parts.map(\.plain)
        if joined.byteCount > 512, Self.acceptsGzip(request.headers[.acceptEncoding] ?? "") {
            fields[.contentEncoding] = "gzip"
            buffers = joined.gzippedBuffers
        }
        fields[.contentLength] = String(buffers.reduce(0) { $0 + $1.readableBytes })
        return Response(
            status: .ok, headers: fields,
            body: request.method == .head ? .init() : Self.makeResponseBody(of: buffers, turn)
        )
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
