import Hummingbird
import NIOCore

extension RequestResponder {
    func response(to request: Request, _ answer: WebResponse) -> Response {
        var answer = answer
        if answer.status >= 400, !answer.contentType.hasPrefix("text/html") {
            answer.body = MachinePathRedaction.hidden(in: answer.body)
        }
        var fields: HTTPFields = [
            .contentType: answer.contentType, .contentLength: String(answer.body.count),
        ]
        for field in answer.fields {
            guard let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) else { continue }
            fields.append(HTTPField(name: name, value: field.value))
        }
        // If the client already has this version, the answer is sent without its body.
        if answer.status == 200, let tag = fields[.eTag], let held = request.headers[.ifNoneMatch],
            Self.names(held, tag)
        {
            fields[.contentLength] = nil
            return Response(status: .notModified, headers: fields)
        }
        let isHead = request.method == .head
        return Response(
            status: .init(code: answer.status), headers: fields,
            body: isHead ? .init() : .init(byteBuffer: ByteBuffer(bytes: answer.body)))
    }

    /// The answer with a page, or the status that the browser has the page already.
    /// - Parameter turn: held until the page is sent.
    func response(
        to request: Request, _ page: Page, _ turn: AnonymousQuota.Turn? = nil
    ) -> Response {
        // A weak tag, because the compressed and the plain form share it.
        let tag = "W/" + page.tag
        var fields: HTTPFields = [
            .contentType: page.contentType, .eTag: tag, .cacheControl: "no-cache", .vary: "Accept-Encoding",
        ]
        if let held = request.headers[.ifNoneMatch], Self.names(held, page.tag) {
            return Response(status: .notModified, headers: fields)
        }
        var body = page.body
        if let zipped = page.zipped, Self.takesGzip(request.headers[.acceptEncoding] ?? "") {
            fields[.contentEncoding] = "gzip"
            body = zipped
        }
        fields[.contentLength] = String(body.readableBytes)
        return Response(
            status: .ok, headers: fields,
            body: request.method == .head ? .init() : Self.body(of: [body], turn))
    }

    /// Sends shared bytes a little at a time: TLS copies everything that is written, and a slow reader must not hold
    /// more of it than ``WebFile/chunkBytes`` and the connection's buffer.
    private static func body(of buffers: [ByteBuffer], _ turn: AnonymousQuota.Turn?) -> ResponseBody {
        ResponseBody(contentLength: buffers.reduce(0) { $0 + $1.readableBytes }) { writer in
            for buffer in buffers {
                var rest = buffer
                while rest.readableBytes > 0 {
                    let count = min(WebFile.chunkBytes, rest.readableBytes)
                    guard let part = rest.readSlice(length: count) else { break }
                    try await writer.write(part)
                }
            }
            try await writer.finish(nil)
            withExtendedLifetime(turn) {}
        }
    }

    /// The answer with a text of several parts, none of which is copied.
    /// - Parameter turn: held until the text is sent.
    func response(
        to request: Request, _ joined: JoinedParts, _ contentType: String, _ turn: AnonymousQuota.Turn?
    ) -> Response {
        // A weak tag, because the compressed and the plain form share it.
        var fields: HTTPFields = [
            .contentType: contentType, .eTag: "W/" + joined.tag, .cacheControl: "no-cache",
            .vary: "Accept-Encoding",
        ]
        if let held = request.headers[.ifNoneMatch], Self.names(held, joined.tag) {
            return Response(status: .notModified, headers: fields)
        }
        var buffers = joined.parts.map(\.plain)
        if joined.byteCount > 512, Self.takesGzip(request.headers[.acceptEncoding] ?? "") {
            fields[.contentEncoding] = "gzip"
            buffers = joined.zipped
        }
        fields[.contentLength] = String(buffers.reduce(0) { $0 + $1.readableBytes })
        return Response(
            status: .ok, headers: fields,
            body: request.method == .head ? .init() : Self.body(of: buffers, turn)
        )
    }

    /// An answer after which nothing more is read, because the rest of the request may be endless.
    ///
    /// The connection is closed two seconds later, so that the answer can arrive.
    func farewell(_ answer: WebResponse, _ request: Request, _ context: WebContext) -> Response {
        let channel = context.channel
        channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(mode: .all, promise: nil) }
        var response = response(to: request, answer)
        response.headers[.connection] = "close"
        return response
    }

    /// True if a list of tags contains ours.
    static func names(_ list: String, _ tag: String) -> Bool {
        list.split(separator: ",").contains { entry in
            let entry = entry.trimmingPrefix { $0 == " " }
            let plain = entry.hasPrefix("W/") ? entry.dropFirst(2) : entry
            return plain == tag || plain == "*"
        }
    }

    private static func takesGzip(_ list: String) -> Bool {
        list.lowercased().split(separator: ",").contains { entry in
            let words = entry.filter { $0 != " " }.split(separator: ";")
            guard words.first == "gzip" || words.first == "*" else { return false }
            return !words.dropFirst().contains {
                $0 == "q=0" || $0.hasPrefix("q=0.0") && Double($0.dropFirst(2)) == 0
            }
        }
    }
}
