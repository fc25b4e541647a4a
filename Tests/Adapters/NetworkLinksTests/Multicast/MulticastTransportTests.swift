import Basics
import NIOCore
import NIOPosix
import NetworkLinks
import Testing

@testable import TestHelpers

/// Over loopback, with a time to live of 0: nothing leaves this machine.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct MulticastTransportTests {
    private func send(_ count: Int, through sender: MulticastSender) async throws {
        for number in 1...count { try await sender.send(Array("packet \(number)".utf8)) }
    }

    private func hear(_ count: Int, from receiver: MulticastReceiver) async -> [String] {
        var heard: [String] = []
        for await datagram in receiver {
            heard.append(String(decoding: datagram.bytes, as: UTF8.self))
            if heard.count == count { break }
        }
        return heard
    }

    @Test(arguments: ["127.0.0.1", "lo"]) func everyReceiverHearsEveryPacketInOrder(interface: String)
        async throws
    {
        let port = try await freshEndpoint().port
        let endpoint = try MulticastEndpoint(port: port, interface: interface)
        let first = try await MulticastReceiver(endpoint: endpoint)
        let second = try await MulticastReceiver(endpoint: endpoint)
        let sender = try await MulticastSender(endpoint: endpoint, timeToLive: 0)
        try await send(200, through: sender)
        let all = (1...200).map { "packet \($0)" }
        #expect(await hear(200, from: first) == all)
        #expect(await hear(200, from: second) == all)
        await sender.close()
        await first.close()
        await second.close()
    }

    @Test func anotherGroupOnTheSamePortIsNotHeard() async throws {
        let ours = try await freshEndpoint()
        let other = try await freshEndpoint(group: "239.255.255.250", port: ours.port)
        let receiver = try await MulticastReceiver(endpoint: ours)
        let neighbour = try await MulticastReceiver(endpoint: other)
        let stranger = try await MulticastSender(endpoint: other, timeToLive: 0)
        try await stranger.send(Array("not for us".utf8))
        #expect(await hear(1, from: neighbour) == ["not for us"])
        let sender = try await MulticastSender(endpoint: ours, timeToLive: 0)
        try await sender.send(Array("for us".utf8))
        #expect(await hear(1, from: receiver) == ["for us"])
        for end in [stranger, sender] { await end.close() }
        await receiver.close()
        await neighbour.close()
    }

    @Test func whoSentItIsTold() async throws {
        let endpoint = try await freshEndpoint()
        let receiver = try await MulticastReceiver(endpoint: endpoint)
        let sender = try await MulticastSender(endpoint: endpoint, timeToLive: 0)
        try await sender.send([1, 2, 3])
        for await datagram in receiver {
            #expect(datagram.bytes == [1, 2, 3])
            #expect(datagram.senderAddress.hasPrefix("127.0.0.1:"))
            break
        }
        await sender.close()
        await receiver.close()
    }

    @Test func aClosedReceiverEndsItsSequence() async throws {
        let receiver = try await MulticastReceiver(endpoint: try await freshEndpoint())
        async let heard = hear(1, from: receiver)
        await receiver.close()
        #expect(await heard.isEmpty)
    }

    @Test func aClosedSenderRefuses() async throws {
        let sender = try await MulticastSender(endpoint: try await freshEndpoint(), timeToLive: 0)
        await sender.close()
        await #expect(throws: ExplainedError.self) { try await sender.send([1]) }
    }

    @Test func aRefusedDatagramDoesNotEndTheSender() async throws {
        let endpoint = try await freshEndpoint()
        let receiver = try await MulticastReceiver(endpoint: endpoint)
        let sender = try await MulticastSender(endpoint: endpoint, timeToLive: 0)
        await #expect(
            throws: ExplainedError(
                "A packet of \(65_508) bytes does not fit into a datagram of this network.")
        ) {
            try await sender.send([UInt8](repeating: 0, count: 65_508))
        }
        try await sender.send(Array("after".utf8))
        #expect(await hear(1, from: receiver) == ["after"])
        await sender.close()
        await receiver.close()
    }

    @Test func anUnknownInterfaceIsNamed() async throws {
        let port = try await freshEndpoint().port
        let endpoint = try MulticastEndpoint(port: port, interface: "no-such-interface")
        for attempt in [
            { _ = try await MulticastSender(endpoint: endpoint) },
            { _ = try await MulticastReceiver(endpoint: endpoint) },
        ] {
            let error = await #expect(throws: ExplainedError.self) { try await attempt() }
            #expect(
                error?.sentence.contains("no interface 'no-such-interface' with an IPv4 address; it has ")
                    == true)
            #expect(error?.sentence.contains("(127.0.0.1)") == true)
        }
    }

    @Test func aPortThatIsNotSharedIsInUse() async throws {
        let endpoint = try await freshEndpoint()
        let holder = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: endpoint.group.description, port: endpoint.port).get()
        await #expect(
            throws: ExplainedError(
                "Port \(endpoint.port) is taken by a program that does not share it; end that program or "
                    + "use another port.")
        ) {
            _ = try await MulticastReceiver(endpoint: endpoint)
        }
        try await holder.close()
    }
}
