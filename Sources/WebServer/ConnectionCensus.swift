import NIOCore
import Synchronization

/// Counts connections by address and turns away those above the limit.
final class ConnectionCensus: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    private let limitPerAddress: Int
    private let unlimited: Set<NumericAddress>

    /// - Parameter unlimited: proxies of ours, from which everybody may come.
    init(limitPerAddress: Int, unlimited: Set<NumericAddress> = []) {
        self.limitPerAddress = limitPerAddress
        self.unlimited = unlimited
    }

    func enter(_ address: String) -> Bool {
        let isUnlimited =
            !unlimited.isEmpty && NumericAddress(address).map { unlimited.contains($0) } == true
        return counts.withLock { counts in
            let count = counts[address, default: 0]
            guard count < limitPerAddress || isUnlimited else { return false }
            counts[address] = count + 1
            return true
        }
    }

    fileprivate func leave(_ address: String) {
        counts.withLock { counts in
            let count = counts[address, default: 0]
            counts[address] = count > 1 ? count - 1 : nil
        }
    }

    var connections: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// The census of one connection.
    final class Counter: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny
        typealias InboundOut = NIOAny

        private let census: ConnectionCensus
        private var entered: String?

        init(_ census: ConnectionCensus) { self.census = census }

        func handlerAdded(context: ChannelHandlerContext) {
            guard let address = context.channel.remoteAddress?.ipAddress else { return }
            if census.enter(address) {
                entered = address
            } else {
                context.channel.close(mode: .all, promise: nil)
            }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            if let entered { census.leave(entered) }
            entered = nil
        }
    }
}
