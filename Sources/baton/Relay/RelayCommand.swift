import ArgumentParser
import Audience
import Composition
import Foundation
import Hosting
import NetworkLinks
import WebServer

/// `baton relay` serves more listeners, with data that the concert's server publishes to an MQTT broker.
struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Serves the audience page to listeners far away, fed by an MQTT broker.",
        discussion: """
            The server of the hall runs with --mqtt BROKER; any number of relays serve its audience page, its live \
            stream and the addresses that existing apps call. A relay needs nothing but the broker. While that is \
            away, what was heard last stays. docs/scale.md says how many listeners one relay carries.
            Exit status: 0 ended as asked, 1 something failed, 64 the command makes no sense.
            """)

    @Option(
        help: ArgumentHelp("The MQTT broker to which the hall's server publishes.", valueName: "host:port"))
    var mqtt: String

    @Option(help: ArgumentHelp("The hall's server by its name in topics.", valueName: "name"))
    var name = "hall"

    @Option(help: ArgumentHelp("Where listeners are served.", valueName: "address:port"))
    var http = "127.0.0.1:8090"

    @Option(
        help: ArgumentHelp("Folder for pictures that came over the broker.", valueName: "folder"),
        completion: .directory)
    var data = "RelayData"

    @Option(
        help: ArgumentHelp(
            "The address from which a proxy in front reaches this relay, such as 127.0.0.1; listeners "
                + "are then counted by whom it forwards. Repeat for more.",
            valueName: "address"))
    var trustedProxy: [String] = []

    @OptionGroup var broker: MQTTBrokerOptions

    @Option(
        help: ArgumentHelp(
            "Serve pages from this folder instead of the built-in ones.", valueName: "folder",
            visibility: .hidden))
    var pages: String?

    func run() async throws {
        AllocatorLimits.limitUnusedMemory()
        try await printingErrors(as: "relay") {
            let (web, broker) = try readingSettings { try settings }
            let interruption = ShutdownSignal()
            let run = try RelayServer(name: name, broker: broker, web: web, data: data) {
                Hosting.printToStandardError($0)
            }
            try await run.run(until: interruption)
            interruption.restoreDefaultSignals()
        }
    }

    private var settings: (web: WebSettings, broker: MQTTSettings) {
        get throws {
            let place = try HostAndPort(http, of: "--http", example: "127.0.0.1:8090")
            // The relay connects under its own name; otherwise its end would mark the concert's server as offline.
            var settings = try broker.makeBrokerSettings(mqtt, name: Self.brokerClientName(port: place.port))
            settings.keepAliveSeconds = 5
            settings.reconnectPause = ReconnectBackoff(first: .milliseconds(200), longest: .seconds(2))
            let web = WebSettings(
                address: place.host, port: place.port, pagesPath: pages,
                trustedProxies: try Set(proxies: trustedProxy), servesConsole: false)
            return (web, settings)
        }
    }

    /// Returns the client name `relay-MACHINE-PORT`, which is the same after a restart, so that the broker does not
    /// collect old sessions.
    private static func brokerClientName(port: Int) -> String {
        let machine = ProcessInfo.processInfo.hostName.prefix(40).map {
            $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-"
        }
        return "relay-\(String(machine))-\(port)"
    }
}
