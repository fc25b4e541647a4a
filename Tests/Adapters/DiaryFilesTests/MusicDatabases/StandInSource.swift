import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A stand-in for MusicBrainz and setlist.fm on loopback: it answers as a test says, and remembers what it was asked.
final class StandInSource: Sendable {
    enum Answer: Sendable {
        case json(String)
        case status(Int, [String: String])
        /// No answer at all.
        case silence
        /// A body that never ends: so many bytes at once, then a few now and then.
        case endless(Int)
    }

    struct Asked: Sendable {
        var uri: String
        var headers: HTTPHeaders
    }

    private let asked = Mutex<[Asked]>([])
    private let channel: any Channel
    private let answer: @Sendable (_ uri: String, _ number: Int) -> Answer

    /// - Parameter answer: gets the address asked for and how many requests there were before.
    init(_ answer: @escaping @Sendable (String, Int) -> Answer) async throws {
        self.answer = answer
        let holder = Holder()
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(holder))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        holder.source.withLock { $0 = self }
    }

    private final class Holder: Sendable {
        let source = Mutex<StandInSource?>(nil)
    }

    var base: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
    var requests: [Asked] { asked.withLock { $0 } }

    func close() async throws { try await channel.close() }

    fileprivate func respond(to head: HTTPRequestHead) -> Answer {
        let number = asked.withLock { list in
            list.append(Asked(uri: head.uri, headers: head.headers))
            return list.count - 1
        }
        return answer(head.uri, number)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let holder: Holder

        init(_ holder: Holder) { self.holder = holder }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data),
                let answer = holder.source.withLock({ $0 })?.respond(to: head)
            else { return }
            switch answer {
            case .json(let text): send(context, 200, ["Content-Type": "application/json"], text)
            case .status(let status, let headers): send(context, status, headers, "{}")
            case .silence: break
            case .endless(let bytes):
                write(context, .head(HTTPResponseHead(version: .http1_1, status: .ok)))
                write(context, .body(.byteBuffer(ByteBuffer(repeating: 0x20, count: bytes))))
                context.flush()
            }
        }

        private func send(
            _ context: ChannelHandlerContext, _ status: Int, _ headers: [String: String], _ text: String
        ) {
            var all = HTTPHeaders(headers.map { ($0.key, $0.value) })
            all.replaceOrAdd(name: "Content-Length", value: String(text.utf8.count))
            write(
                context,
                .head(
                    HTTPResponseHead(
                        version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: all)))
            write(context, .body(.byteBuffer(ByteBuffer(string: text))))
            write(context, .end(nil))
            context.flush()
        }

        private func write(_ context: ChannelHandlerContext, _ part: HTTPServerResponsePart) {
            context.write(wrapOutboundOut(part), promise: nil)
        }
    }
}
