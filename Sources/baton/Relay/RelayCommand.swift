import ArgumentParser
import Audience
import Foundation
import Hosting
import NetworkLinks

/// `baton relay` brings the audience's stream, which the concert's server publishes to MQTT brokers, to an nginx that
/// serves listeners far away.
struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Brings the audience's live stream from MQTT brokers to an nginx for many listeners.",
        discussion: """
            The server of the hall runs with --mqtt BROKER; at each edge, a relay and an nginx with the module nchan \
            serve any number of listeners (docs/scale.md, docs/deploy/nginx-edge.conf). While no broker is reached, \
            what was heard last stays.
            Exit status: 0 ended as asked, 1 something failed, 64 the command makes no sense.
            """)

    @Option(
        help: ArgumentHelp(
            "An MQTT broker to which the hall's server publishes. Repeat for more: the newest message counts, "
                + "whichever brings it.", valueName: "host:port"))
    var mqtt: [String]

    @Option(help: ArgumentHelp("The hall's server by its name in topics.", valueName: "name"))
    var name = "hall"

    @Option(
        help: ArgumentHelp(
            "Where nginx takes the stream, on this machine or over TLS. Without --timeline: \(Self.usualAddress)",
            valueName: "address"))
    var push: String?

    @Option(
        help: ArgumentHelp(
            "A folder for the stream as files of ten seconds, for listeners of a broadcast.",
            valueName: "folder"))
    var timeline: String?

    private static let usualAddress = "http://127.0.0.1:8091/publish"

    @OptionGroup var broker: MQTTBrokerOptions

    func run() async throws {
        AllocatorLimits.limitUnusedMemory()
        try await printingErrors(as: "relay") {
            let relay = try readingSettings {
                try Relay(
                    name: name, brokers: mqtt.map(brokerSettings),
                    edge: push ?? (timeline == nil ? Self.usualAddress : nil), timeline: timeline,
                    writeLogLine: { Hosting.printToStandardError($0) })
            }
            let interruption = ShutdownSignal()
            try await relay.run(until: interruption)
            interruption.restoreDefaultSignals()
        }
    }

    private func brokerSettings(_ place: String) throws -> MQTTSettings {
        // The relay connects under its own name; otherwise its end would mark the concert's server as offline.
        let machine = ProcessInfo.processInfo.hostName.prefix(40).map {
            $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-"
        }
        var settings = try broker.makeBrokerSettings(place, name: "relay-\(String(machine))")
        settings.keepAliveSeconds = 5
        settings.reconnectPause = ReconnectBackoff(first: .milliseconds(200), longest: .seconds(2))
        return settings
    }
}
