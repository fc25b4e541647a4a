import ArgumentParser
import Audience
import Basics
import Concert
import Foundation
import NetworkLinks

/// `baton watch` receives the packets that are sent to phones, and displays them.
struct WatchPacketsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows what the audience's phones see.",
        discussion: """
            Joins the multicast group as a phone does. In a terminal one screen is kept up to date; elsewhere \
            each change is a line. Ends with status 1 where nothing was heard in the time given.
            """
    )

    @Option(help: "The multicast group.")
    var group = MulticastEndpoint.standardGroup

    @Option(help: "The UDP port.")
    var port = MulticastEndpoint.standardPort

    @Option(help: "The interface to listen on: one of this machine's IPv4 addresses, or a name such as eth0.")
    var interface = MulticastEndpoint.standardInterface

    @Option(help: "Listen for so many seconds; by default until Ctrl-C.")
    var seconds: Double?

    @Flag(help: "Print one JSON object for each packet.")
    var json = false

    @Flag(help: "End with the first measure heard.")
    var once = false

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= 1_000_000) {
            throw ValidationError("--seconds must be more than 0 and at most 1000000, not \(seconds).")
        }
        do { _ = try makeEndpoint() } catch { throw ValidationError(error.sentence) }
    }

    func run() async throws {
        let receiver: MulticastReceiver
        do {
            receiver = try await MulticastReceiver(endpoint: makeEndpoint())
        } catch {
            printError(error.sentence, as: "watch")
            throw ExitCode(2)
        }
        let output: any ReceivedPacketDisplay =
            if json { JSONPacketWatchOutput() } else if TerminalOutput.isInteractive {
                ScreenPacketWatchOutput(endpoint: receiver.endpoint, interface: interface)
            } else { LinePacketWatchOutput() }
        let heard = await displayReceivedPackets(to: receiver, into: output)
        await receiver.close()
        guard heard else {
            printError(
                "Nothing was heard on \(group):\(port) through \(interface); check that the sender runs and "
                    + "that --interface is the network it sends to.", as: "watch")
            throw ExitCode(1)
        }
    }

    private func makeEndpoint() throws(ExplainedError) -> MulticastEndpoint {
        try MulticastEndpoint(group: group, port: port, interface: interface)
    }

    /// Displays the packets that a receiver gets.
    /// - Returns: true if at least one valid packet was received, or if the watch was interrupted.
    private func displayReceivedPackets(
        to receiver: MulticastReceiver, into output: any ReceivedPacketDisplay
    )
        async -> Bool
    {
        let start = ContinuousClock.now
        var inspector = PacketInspector()
        var source: String?
        var interrupted = false
        output.begin()
        for await event in PacketWatchEvent.makeEventStream(from: receiver, for: seconds) {
            if case .timeIsUp = event { break }
            if case .interrupted = event {
                interrupted = true
                break
            }
            var verdict: PacketVerdict?
            var now = start.duration(to: .now)
            if case .datagram(let datagram) = event {
                now = start.duration(to: datagram.arrival)
                source = datagram.senderAddress
                verdict = inspector.receive(datagram.bytes, at: now)
            }
            output.update(
                verdict, PacketWatchState(packetInspector: inspector, senderAddress: source, elapsedTime: now)
            )
            if once, inspector.shownPacket != nil { break }
        }
        let now = start.duration(to: .now)
        output.end(PacketWatchState(packetInspector: inspector, senderAddress: source, elapsedTime: now))
        return interrupted || inspector.tally.measures + inspector.tally.messages > 0
    }
}
