import NIOCore
import NIOPosix
import Synchronization

/// The state that all sockets of an OSC server share: the queue of packets for the handler, the connections and the
/// counters.
final class OSCServerCore: Sendable {
    let settings: OSCServerSettings
    private let state: Mutex<State>
    private let stream: AsyncStream<PacketMessages>
    private let queue: AsyncStream<PacketMessages>.Continuation
    private let start = ContinuousClock.now

    /// The messages of one packet, handled together.
    private struct PacketMessages: Sendable {
        let messages: [OSCMessage]
        let peer: OSCPeer
        let sendReply: ReplySender
    }

    /// Sends bytes back to the sender of a packet.
    typealias ReplySender = @Sendable ([UInt8]) -> Void

    private struct State {
        var rates: SenderRateLimiter
        var counters = OSCCounters()
        var connections: [OSCPeer: any Channel] = [:]
        var lastConnection: UInt64 = 0
        var datagramSockets: [any Channel] = []
        var disconnectHandler: (@Sendable (OSCPeer) -> Void)?
    }

    init(settings: OSCServerSettings) {
        self.settings = settings
        let rates = SenderRateLimiter(messagesPerSecond: settings.messagesPerSecond, burst: settings.burst)
        state = Mutex(State(rates: rates))
        (stream, queue) = AsyncStream.makeStream(
            of: PacketMessages.self, bufferingPolicy: .bufferingOldest(settings.mostWaitingPackets))
    }

    var counters: OSCCounters { state.withLock { $0.counters } }

    func updateCounters(_ change: (inout OSCCounters) -> Void) { state.withLock { change(&$0.counters) } }

    func onDisconnect(_ act: @escaping @Sendable (OSCPeer) -> Void) {
        state.withLock { $0.disconnectHandler = act }
    }

    func remember(datagramSocket channel: any Channel) {
        state.withLock { $0.datagramSockets.append(channel) }
    }

    // MARK: In

    /// Handles one received packet. The end of `bytes` may be missing if the packet is longer than the limit.
    func receivePacket(_ bytes: [UInt8], from peer: OSCPeer, answer: @escaping ReplySender) {
        guard isWelcome(peer), isSlowEnough(peer, answer: answer) else { return }
        let packet: OSCPacket
        do throws(OSCFault) {
            packet = try OSCPacket(bytes: bytes, limits: settings.limits)
        } catch {
            refuse(error, from: peer, answer: answer)
            return
        }
        let messages = packet.messages
        updateCounters { $0.messages += UInt64(messages.count) }
        guard case .dropped = queue.yield(PacketMessages(messages: messages, peer: peer, sendReply: answer))
        else {
            return
        }
        updateCounters { $0.overflowed += 1 }
        sendError(
            "Too many messages are waiting; this one was dropped.", about: messages.first?.address, answer)
    }

    func refuse(_ fault: OSCFault, from peer: OSCPeer, answer: ReplySender) {
        updateCounters {
            if case .tooLong = fault { $0.oversized += 1 } else { $0.malformed += 1 }
            $0.lastFault = "\(peer): \(fault.sentence)"
        }
        sendError(fault.sentence, about: nil, answer)
    }

    func refuse(_ fault: SLIPFault, from peer: OSCPeer, answer: @escaping ReplySender) {
        guard isSlowEnough(peer, answer: answer) else { return }
        updateCounters {
            if case .tooLong = fault { $0.oversized += 1 } else { $0.malformed += 1 }
            $0.lastFault = "\(peer): \(fault.sentence)"
        }
        sendError(fault.sentence, about: nil, answer)
    }

    func isWelcome(_ peer: OSCPeer) -> Bool {
        guard !settings.allowedSenders.isEmpty,
            !settings.allowedSenders.contains(where: { $0.contains(peer.address) })
        else {
            return true
        }
        updateCounters {
            $0.strangers += 1
            $0.lastFault = "\(peer): this address is not on the list of senders."
        }
        return false
    }

    private func isSlowEnough(_ peer: OSCPeer, answer: ReplySender) -> Bool {
        let now = start.duration(to: .now)
        let verdict = state.withLock { state in
            state.counters.packets += 1
            let verdict = state.rates.takeToken(from: peer.address, at: now)
            if verdict != .allowed { state.counters.tooFast += 1 }
            return verdict
        }
        if verdict == .tooFast(isFirst: true) {
            let sentence =
                "More than \(Int(settings.messagesPerSecond)) packets a second arrived; some were dropped."
            updateCounters { $0.lastFault = "\(peer): \(sentence)" }
            sendError(sentence, about: nil, answer)
        }
        return verdict == .allowed
    }

    private func sendError(_ sentence: String, about address: String?, _ answer: ReplySender) {
        let message = OSCMessage(settings.errorAddress, [.string(address ?? ""), .string(sentence)])
        if let bytes = try? message.bytes() { answer(bytes) }
    }

    // MARK: Handling

    func handleQueuedMessages(_ handler: OSCServer.Handler) async {
        for await parcel in stream {
            for message in parcel.messages {
                for reply in await handler(message, parcel.peer) {
                    guard let bytes = try? reply.bytes() else { continue }
                    updateCounters { $0.replies += 1 }
                    parcel.sendReply(bytes)
                }
            }
        }
    }

    // MARK: Out

    func send(_ packet: [UInt8], to peer: OSCPeer) -> Bool {
        switch peer.transport {
        case .udp:
            guard let remote = try? SocketAddress(ipAddress: peer.address, port: peer.port),
                let channel = datagramSocket(for: remote), channel.isWritable
            else { return false }
            let envelope = AddressedEnvelope(remoteAddress: remote, data: ByteBuffer(bytes: packet))
            channel.writeAndFlush(envelope, promise: nil)
            return true
        case .tcp:
            guard let channel = state.withLock({ $0.connections[peer] }) else { return false }
            return write(packet, to: channel)
        }
    }

    /// Chooses the UDP socket that can reach an address. A socket bound to loopback reaches no other machine, and a
    /// socket bound to another address does not reach loopback.
    private func datagramSocket(for remote: SocketAddress) -> (any Channel)? {
        func isLoopback(_ address: String) -> Bool { address.hasPrefix("127.") || address == "::1" }
        let isNear = isLoopback(remote.plainAddress)
        return state.withLock(\.datagramSockets).first { socket in
            guard let local = socket.localAddress, local.protocol == remote.protocol else { return false }
            let address = local.plainAddress
            return address == "0.0.0.0" || address == "::" || isLoopback(address) == isNear
        }
    }

    /// Sends a packet over a TCP connection. Closes the connection if its backlog is full, because the peer does not
    /// read.
    func write(_ packet: [UInt8], to channel: any Channel) -> Bool {
        guard channel.isWritable else {
            channel.close(promise: nil)
            updateCounters { $0.slowPeersDropped += 1 }
            return false
        }
        channel.writeAndFlush(ByteBuffer(bytes: SLIPFraming.frame(packet)), promise: nil)
        return true
    }

    // MARK: Connections

    /// Registers a new TCP connection; returns nil if there are too many, or if its address is not allowed.
    func admit(_ channel: any Channel) -> OSCPeer? {
        let remote = channel.remoteAddress
        let candidate = OSCPeer(address: remote.plainIP, port: remote?.port ?? 0, transport: .tcp(0))
        guard isWelcome(candidate) else { return nil }
        return state.withLock { state in
            guard state.connections.count < settings.mostConnections else {
                state.counters.peersTurnedAway += 1
                return nil
            }
            state.lastConnection += 1
            let peer = OSCPeer(
                address: candidate.address, port: candidate.port, transport: .tcp(state.lastConnection))
            state.connections[peer] = channel
            state.counters.connections = state.connections.count
            return peer
        }
    }

    func depart(_ peer: OSCPeer) {
        let act = state.withLock { state in
            state.connections[peer] = nil
            state.counters.connections = state.connections.count
            return state.disconnectHandler
        }
        act?(peer)
    }

    func close() async {
        queue.finish()
        let channels = state.withLock { Array($0.connections.values) }
        for channel in channels { try? await channel.close() }
    }
}

extension SocketAddress? {
    /// The numeric IP address, without the prefix `::ffff:` of an IPv4 address inside IPv6; "?" if unknown.
    var plainIP: String {
        guard let ip = self?.ipAddress else { return "?" }
        return ip.hasPrefix("::ffff:") && ip.contains(".") ? String(ip.dropFirst(7)) : ip
    }
}
