import Basics
import NIOCore
import NIOPosix
import Synchronization

/// The state that all sockets of an OSC server share: the queue of packets for the handler, the connections and the
/// counters.
final class OSCServerCore: Sendable {
    let settings: OSCServerSettings
    private let state: Mutex<State>
    private let queuedPackets: AsyncStream<PacketMessages>
    private let packetQueue: AsyncStream<PacketMessages>.Continuation
    private let startInstant = ContinuousClock.now

    /// The messages of one packet, handled together.
    private struct PacketMessages: Sendable {
        let messages: [OSCMessage]
        let peer: OSCPeer
        let sendReply: ReplySender
    }

    /// Sends bytes back to the sender of a packet.
    typealias ReplySender = @Sendable ([UInt8]) -> Void

    private struct State {
        var rateLimiter: SenderRateLimiter
        var counters = OSCCounters()
        var channelsByPeer: [OSCPeer: any Channel] = [:]
        var lastConnectionNumber: UInt64 = 0
        var datagramSockets: [any Channel] = []
        var disconnectHandler: (@Sendable (OSCPeer) -> Void)?
    }

    init(settings: OSCServerSettings) {
        self.settings = settings
        let rates = SenderRateLimiter(
            messagesPerSecond: settings.messagesPerSecond, maximumBurst: settings.maximumBurst)
        state = Mutex(State(rateLimiter: rates))
        (queuedPackets, packetQueue) = AsyncStream.makeStream(
            of: PacketMessages.self, bufferingPolicy: .bufferingOldest(settings.mostPacketsWaitingForHandler))
    }

    var counters: OSCCounters { state.withLock { $0.counters } }

    func updateCounters(_ change: (inout OSCCounters) -> Void) { state.withLock { change(&$0.counters) } }

    func setDisconnectHandler(_ act: @escaping @Sendable (OSCPeer) -> Void) {
        state.withLock { $0.disconnectHandler = act }
    }

    func remember(datagramSocket channel: any Channel) {
        state.withLock { $0.datagramSockets.append(channel) }
    }

    // MARK: In

    /// Handles one received packet. The end of `bytes` may be missing if the packet is longer than the limit.
    /// - Returns: false if it is no OSC packet.
    @discardableResult
    func receivePacket(_ bytes: [UInt8], from peer: OSCPeer, answer: @escaping ReplySender) -> Bool {
        guard isAllowedSender(peer), isWithinRateLimit(peer, answer: answer) else { return true }
        let packet: OSCPacket
        do throws(ExplainedError) {
            packet = try OSCPacket(bytes: bytes, limits: settings.limits)
        } catch {
            if bytes.count > settings.limits.packetBytes {
                refuse(error.sentence, from: peer, counter: \.oversizedPackets, answer)
            } else {
                refuse(error.sentence, from: peer, counter: \.malformedPackets, answer)
            }
            // A packet with an argument of another type is OSC all the same.
            return error.code == OSCFault.unknownTypeTagCode
        }
        let messages = packet.messages
        updateCounters { $0.receivedMessages += UInt64(messages.count) }
        guard
            case .dropped = packetQueue.yield(
                PacketMessages(messages: messages, peer: peer, sendReply: answer))
        else {
            return true
        }
        updateCounters { $0.packetsDroppedFromFullQueue += 1 }
        sendError(
            "Too many messages are waiting; this one was dropped.", about: messages.first?.address, answer)
        return true
    }

    func refuseStream(_ fault: ExplainedError, from peer: OSCPeer, answer: ReplySender) {
        refuse(
            fault.sentence, from: peer,
            counter: fault.code == OSCFault.tooLongCode ? \.oversizedPackets : \.malformedPackets, answer)
    }

    /// Counts a refused packet, and tells its sender why.
    private func refuse(
        _ sentence: String, from peer: OSCPeer, counter: WritableKeyPath<OSCCounters, UInt64>,
        _ answer: ReplySender
    ) {
        countRefusal(sentence, from: peer, counter: counter)
        sendError(sentence, about: nil, answer)
    }

    func countRefusal(_ sentence: String, from peer: OSCPeer, counter: WritableKeyPath<OSCCounters, UInt64>) {
        updateCounters {
            $0[keyPath: counter] += 1
            $0.lastRefusal = "\(peer): \(sentence)"
        }
    }

    func isAllowedSender(_ peer: OSCPeer) -> Bool {
        guard !settings.allowedSenders.isEmpty,
            !settings.allowedSenders.contains(where: { $0.contains(peer.address) })
        else {
            return true
        }
        countRefusal(
            "this address is not on the list of senders.", from: peer, counter: \.packetsFromStrangers)
        return false
    }

    private func isWithinRateLimit(_ peer: OSCPeer, answer: ReplySender) -> Bool {
        let now = startInstant.duration(to: .now)
        let verdict = state.withLock { state in
            state.counters.receivedPackets += 1
            let verdict = state.rateLimiter.takeToken(from: peer.address, at: now)
            if verdict != .allowed { state.counters.rateLimitedPackets += 1 }
            return verdict
        }
        if verdict == .tooFast(isFirst: true) {
            let sentence =
                "More than \(settings.messagesPerSecond) packets a second arrived; some were dropped."
            updateCounters { $0.lastRefusal = "\(peer): \(sentence)" }
            sendError(sentence, about: nil, answer)
        }
        return verdict == .allowed
    }

    private func sendError(_ sentence: String, about address: String?, _ answer: ReplySender) {
        let message = OSCMessage(settings.errorMessageAddress, [.string(address ?? ""), .string(sentence)])
        if let bytes = try? message.encodedBytes() { answer(bytes) }
    }

    // MARK: Handling

    func handleQueuedMessages(_ handler: OSCServer.MessageHandler) async {
        for await parcel in queuedPackets {
            for message in parcel.messages {
                for reply in await handler(message, parcel.peer) {
                    guard let bytes = try? reply.encodedBytes() else { continue }
                    updateCounters { $0.sentReplies += 1 }
                    parcel.sendReply(bytes)
                }
            }
        }
    }

    // MARK: Out

    func sendPacket(_ packet: [UInt8], to peer: OSCPeer) -> Bool {
        switch peer.transport {
        case .udp:
            guard let remote = try? SocketAddress(ipAddress: peer.address, port: peer.port),
                let channel = datagramSocket(for: remote), channel.isWritable
            else { return false }
            let envelope = AddressedEnvelope(remoteAddress: remote, data: ByteBuffer(bytes: packet))
            channel.writeAndFlush(envelope, promise: nil)
            return true
        case .tcp:
            guard let channel = state.withLock({ $0.channelsByPeer[peer] }) else { return false }
            return writeToConnection(packet, to: channel)
        }
    }

    /// Chooses the UDP socket that can reach an address. A socket bound to loopback reaches no other machine, and a
    /// socket bound to another address does not reach loopback.
    private func datagramSocket(for remote: SocketAddress) -> (any Channel)? {
        func isLoopback(_ address: String) -> Bool { address.hasPrefix("127.") || address == "::1" }
        let isNear = isLoopback(remote.numericAddressText)
        return state.withLock(\.datagramSockets).first { socket in
            guard let local = socket.localAddress, local.protocol == remote.protocol else { return false }
            let address = local.numericAddressText
            return address == "0.0.0.0" || address == "::" || isLoopback(address) == isNear
        }
    }

    /// Sends a packet over a TCP connection. Closes the connection if its backlog is full, because the peer does not
    /// read.
    func writeToConnection(_ packet: [UInt8], to channel: any Channel) -> Bool {
        guard channel.isWritable else {
            channel.close(promise: nil)
            updateCounters { $0.slowPeersDropped += 1 }
            return false
        }
        // The connection's handler frames it.
        channel.writeAndFlush(ByteBuffer(bytes: packet), promise: nil)
        return true
    }

    // MARK: Connections

    /// Registers a new TCP connection; returns nil if there are too many, or if its address is not allowed.
    func registerConnection(_ channel: any Channel) -> OSCPeer? {
        let remote = channel.remoteAddress
        let candidate = OSCPeer(address: remote.numericIPText, port: remote?.port ?? 0, transport: .tcp(0))
        guard isAllowedSender(candidate) else { return nil }
        return state.withLock { state in
            guard state.channelsByPeer.count < settings.mostConnections else {
                state.counters.connectionsTurnedAway += 1
                return nil
            }
            state.lastConnectionNumber += 1
            let peer = OSCPeer(
                address: candidate.address, port: candidate.port, transport: .tcp(state.lastConnectionNumber))
            state.channelsByPeer[peer] = channel
            state.counters.openConnections = state.channelsByPeer.count
            return peer
        }
    }

    func unregisterConnection(_ peer: OSCPeer) {
        let act = state.withLock { state in
            state.channelsByPeer[peer] = nil
            state.counters.openConnections = state.channelsByPeer.count
            return state.disconnectHandler
        }
        act?(peer)
    }

    func close() async {
        packetQueue.finish()
        let channels = state.withLock { Array($0.channelsByPeer.values) }
        for channel in channels { try? await channel.close() }
    }
}

extension SocketAddress? {
    /// The numeric IP address, without the prefix `::ffff:` of an IPv4 address inside IPv6; "?" if unknown.
    var numericIPText: String {
        guard let ip = self?.ipAddress else { return "?" }
        return ip.hasPrefix("::ffff:") && ip.contains(".") ? String(ip.dropFirst(7)) : ip
    }
}
