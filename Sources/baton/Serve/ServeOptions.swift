import ArgumentParser
import Basics
import Composition
import Foundation
import Hosting
import NetworkLinks
import Podium
import Presenting
import ShowControl
import WebServer

/// Options for the web server, the data folder and the show.
struct ServeOptions: ParsableArguments {
    static let defaultDataFolder = ConcertServerSettings.defaultDataFolder

    @Option(help: ArgumentHelp("Where pages and console are served.", valueName: "address:port"))
    var http = "127.0.0.1:8080"

    @Option(
        help: ArgumentHelp("Folder for accounts, cue lists and show logs.", valueName: "folder"),
        completion: .directory)
    var data = Self.defaultDataFolder

    @Option(
        help: ArgumentHelp(
            "PEM file of the certificate, for https. Without it, /start or baton certificate makes one.",
            valueName: "file"), completion: .file())
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("PEM file of its private key.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "The address under which browsers reach a proxy in front, such as "
                + "https://baton.example.org; repeat for more.",
            valueName: "url"))
    var origin: [String] = []

    @Option(
        help: ArgumentHelp(
            "A further name by which browsers reach this server, such as baton.hall.example; repeat for more. Known "
                + "are addresses in numbers, this machine's own names and those in the certificate.",
            valueName: "name"))
    var hostName: [String] = []

    @Option(
        help: ArgumentHelp(
            "The address from which a proxy in front reaches this server, such as 127.0.0.1; tries to "
                + "sign in are then counted by whom it forwards. Repeat for more.",
            valueName: "address"))
    var trustedProxy: [String] = []

    @Flag(help: "Run without sign-in; only if --http is a loopback address.")
    var noSignIn = false

    @Flag(
        help: ArgumentHelp(
            "Let listeners who are not in the hall follow tonight's pieces by their phones' own microphones: gives "
                + "everybody the models of these pieces, which hold features and no sound."))
    var listenAtHome = false

    @Option(
        help: ArgumentHelp(
            "Where speakers connect who show slides (docs/speakers.md); off unless given.",
            valueName: "address:port"))
    var present: String?

    @Option(
        help: ArgumentHelp(
            "A code with which speakers join on /present, or append to their names; needed unless --present is a "
                + "loopback address.",
            valueName: "word"))
    var presentCode: String?

    @Flag(help: "Begin a new show even if an interrupted one could continue.")
    var new = false

    @Option(
        help: ArgumentHelp(
            "Who says when the music of a new show may begin: at-once, nobody; by-hand, a technician arms the show; "
                + "each-piece, and each later piece. Unless given: at-once if pieces are named here, otherwise by-hand.",
            valueName: "when"))
    var arm: ShowArming?

    @Option(
        help: ArgumentHelp(
            "Serve pages from this folder instead of the built-in ones.", valueName: "folder",
            visibility: .hidden))
    var pages: String?

    @Option(
        help: ArgumentHelp(
            "True measure times of the performance, with which the report evaluates it.", valueName: "file"))
    var truth: String?

    @Option(help: ArgumentHelp("For how many seconds the check listens to the music.", valueName: "seconds"))
    var checkSeconds = 30.0

    /// The port for speakers; nil if there is none.
    func makePresentingSettings() throws -> PresentingSettings? {
        guard let present else { return nil }
        let place = try HostAndPort(present, of: "--present", example: "127.0.0.1:8090")
        return try PresentingSettings(address: place.host, port: place.port, code: makeSpeakersCode())
    }

    /// The code for speakers; nil if there is none.
    func makeSpeakersCode() throws -> SpeakersCode? { try presentCode.map { try SpeakersCode($0) } }

    func makeWebSettings() throws -> WebSettings {
        let place = try HostAndPort(http, of: "--http", example: "127.0.0.1:8080")
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ExplainedError("https needs both --tls-certificate and --tls-key.")
        }
        let tls = tlsCertificate.flatMap { certificate in
            tlsKey.map { WebSettings.TLSFiles(certificatePath: certificate, keyPath: $0) }
        }
        var settings = WebSettings(
            address: place.host, port: place.port, tls: tls, signIn: noSignIn ? .notNeeded : .required,
            pagesPath: pages, furtherOrigins: try origin.map { try WebOrigin($0) }, hostNames: hostName,
            trustedProxies: try Set(proxies: trustedProxy))
        settings.ownCertificateFolder = CertificateCommand.folder(in: data)
        try settings.check()
        return settings
    }
}

extension ShowArming: ExpressibleByArgument {}

extension Set<NumericAddress> {
    /// Parses the addresses of trusted proxies from the command line.
    init(proxies: [String]) throws(ExplainedError) {
        self.init()
        for text in proxies {
            guard let address = NumericAddress(text) else {
                throw ExplainedError(
                    "“\(text.prefix(80))” is not a proxy's address; give the one address from which it "
                        + "reaches this server, in numbers and without a port, such as 127.0.0.1 or 10.0.0.5, "
                        + "and repeat the option for more.")
            }
            insert(address)
        }
    }
}

/// Options for show control by OSC, MQTT and MIDI.
struct ShowControlOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where to listen for OSC, by UDP and TCP.", valueName: "address:port"))
    var osc = OSCEndpoint.defaultLoopbackEndpoint.description

    @Flag(inversion: .prefixedNo, help: "Hear OSC.")
    var listenOsc = true

    @Option(
        help: ArgumentHelp(
            "A program that is told the state by OSC, and that cues may name: host:port or "
                + "name=host:port, with tcp: or slip: before the host for TCP; repeat for more.",
            valueName: "[name=]host:port"))
    var oscTarget: [String] = []

    @Option(
        help: ArgumentHelp(
            "A program that cues may name, and that gets nothing else: name=host:port; repeat for more.",
            valueName: "[name=]host:port"))
    var oscCueTarget: [String] = []

    @Option(
        help: ArgumentHelp(
            "A password that OSC commands must contain (docs/show-control.md).", valueName: "word"))
    var oscPassphrase: String?

    @Option(
        help: ArgumentHelp(
            "An address or a network that may send OSC, such as 192.168.1.20 or 192.168.1.0/24; repeat for more.",
            valueName: "address[/bits]"))
    var oscAllow: [String] = []

    @Option(
        help: ArgumentHelp(
            "An MQTT broker to which the state is published. Repeat for relays that survive the loss of one; cues "
                + "and commands go by the first.", valueName: "host:port"))
    var mqtt: [String] = []

    @Option(help: ArgumentHelp("The name of this server in topics.", valueName: "name"))
    var mqttName = "hall"

    @OptionGroup var broker: MQTTBrokerOptions

    @Flag(help: "Also take commands from the broker; it must be one with sign-in or TLS.")
    var mqttCommands = false

    @Option(
        help: ArgumentHelp(
            "A raw MIDI port that cues may name, such as desk=/dev/snd/midiC1D0; repeat for more.",
            valueName: "name=file"))
    var midiOut: [String] = []

    @Option(
        help: ArgumentHelp(
            "A raw MIDI port that may command the show, by the messages of --midi-command; repeat for more.",
            valueName: "name=file"))
    var midiIn: [String] = []

    @Option(
        help: ArgumentHelp(
            "A MIDI message and the command that it gives, such as \"msc-go -> go\" or \"note number=60 -> next-piece\" "
                + "(docs/show-control.md); repeat for more.",
            valueName: "message -> command"))
    var midiCommand: [String] = []

    func oscSettings() throws -> ShowControlService.Settings {
        var settings = ShowControlService.Settings()
        do throws(ExplainedError) {
            let endpoint = try OSCEndpoint(osc)
            settings.serverSettings.udpEndpoints = [endpoint]
            settings.serverSettings.tcpEndpoints = [endpoint]
            settings.targets = try parseOSCTargets()
            try settings.refuseTargetsAtThisServer()
        } catch {
            throw ExplainedError("--osc, --osc-target, --osc-cue-target: \(error.sentence)")
        }
        settings.serverSettings.allowedSenders = try parseAllowedSenders()
        guard oscPassphrase?.isEmpty != true else {
            throw ExplainedError(
                "--osc-passphrase is empty; give a password, or leave the option out.")
        }
        settings.passphrase = oscPassphrase
        guard let open = settings.firstUnprotectedEndpoint else { return settings }
        throw ExplainedError(
            "--osc \(open) lets everybody on that network command the show; name who may with "
                + "--osc-allow 192.168.1.20 (or a network, 192.168.1.0/24), or ask for a word with --osc-passphrase."
        )
    }

    private func parseAllowedSenders() throws -> [SenderAddressRange] {
        var ranges: [SenderAddressRange] = []
        for text in oscAllow {
            guard let range = SenderAddressRange(text) else {
                throw ExplainedError(
                    "--osc-allow \(text) is neither an address in numbers nor a network; write "
                        + "192.168.1.20 or 192.168.1.0/24.")
            }
            ranges.append(range)
        }
        return ranges
    }

    private func parseOSCTargets() throws(ExplainedError) -> [OSCTarget] {
        var found: [OSCTarget] = []
        for (text, receivesState) in oscTarget.map({ ($0, true) }) + oscCueTarget.map({ ($0, false) }) {
            found.append(try OSCTarget(text, receivesState: receivesState))
        }
        return found
    }

    func brokerSettings() throws -> [MQTTSettings] {
        guard !mqtt.isEmpty || broker.isEmpty && !mqttCommands else {
            throw ExplainedError("--mqtt-user and the other options for a broker need --mqtt.")
        }
        var settings = try mqtt.map { try broker.makeBrokerSettings($0, name: mqttName) }
        guard mqttCommands else { return settings }
        settings[0].acceptsCommands = true
        guard settings[0].authenticatesBroker else {
            throw ExplainedError(
                "--mqtt-commands lets everybody who reaches the broker command the show; let the broker ask "
                    + "for a sign-in and give --mqtt-user with BATON_MQTT_PASSWORD, or reach it by TLS with "
                    + "--mqtt-certificates.")
        }
        return settings
    }
}
