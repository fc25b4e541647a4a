import ArgumentParser
import BackupLink
import Basics
import Composition
import Following
import Foundation
import Hosting
import NetworkLinks
import Performance
import Podium
import Score
import ShowControl
import WebServer

/// A server for tests of the pages: everything is the product's own but the follower and the sound device.
///
/// A test steers it by lines on standard input (``ScriptLines``). Each is answered by a line on standard output,
/// `ok` or `no` and a sentence. The end of the input ends the server.
@main struct ScriptedServer: AsyncParsableCommand {
    @Argument(help: "Folders of pieces, separated by commas, or a concert file (.json).") var pieces: String
    @Option(help: "Folder of the pieces' content.") var recordings = "Recordings"
    @Option(help: "The data folder.") var data: String
    @Option(help: "Where pages are served.") var http: String
    @Option(help: "UDP port of the phones' packets; they stay on this machine.") var port: Int
    @Flag(help: "Nobody signs in.") var noSignIn = false
    @Flag(help: "Begin a new show.") var new = false
    @Flag(help: "Record the sound, which is silence.") var record = false
    @Option(help: "The folder of models to which references are added.") var models: String?
    @Option(help: "Serve pages from this folder.") var pages: String?
    @Option(help: "Length of the check before the show, in seconds.") var checkSeconds = 1.0
    @Option(help: "Loopback port on which OSC is heard; needs --desk.") var osc: Int?
    @Option(help: "UDP port on loopback of the lighting desk “desk”, which cues may name.") var desk: Int?
    @Option(help: "An MQTT broker that is told the state: its host and port.") var mqtt: String?
    @Option(help: "Measures and times of the first piece's performance, to judge it by in the report.")
    var truth: String?
    @Option(help: "As the main server: the loopback port on which a backup is awaited.") var link: Int?
    @Option(help: "Be the backup of the main server at this loopback port.") var backupOf: Int?
    @Option(help: "Seconds of silence of the main server after which the backup takes over.")
    var takeoverSeconds = 0.6
    @Option(help: "File of the secret that both servers share.") var linkKey: String?
    @Option(help: "The address of a stand-in for MusicBrainz, setlist.fm and YouTube, on loopback.")
    var sources: String?

    func run() async throws {
        do {
            let interruption = ShutdownSignal()
            let wanted = try RequestedProgramme(pieces)
            let programme = try ScriptedProgramme.read(wanted, recordings: recordings)
            let script = Script()
            let follower = ScriptedFollower(programme, script: script)
            let input = ScriptedInput(rate: follower.sampleRate, script: script)
            let run = try await ConcertServer(
                concert: follower, folders: wanted.pieceFolderNames, place: .beginning, input: input,
                settings: settings)
            Self.obey(ScriptLines(script: script, inbox: run.showEngineInbox, programme: programme))
            try await run.run(until: interruption)
            interruption.restoreDefaultSignals()
        } catch let failure as any Explained {
            printToStandardError("ScriptedServer: \(failure.sentence)\n")
            throw ExitCode.failure
        }
    }

    private var settings: ConcertServerSettings {
        get throws {
            let place = try HostAndPort(http, of: "--http", example: "127.0.0.1:8080")
            let web = WebSettings(
                address: place.host, port: place.port, signIn: noSignIn ? .notNeeded : .required,
                pagesPath: pages)
            try web.check()
            var broker: [MQTTSettings] = []
            if let mqtt {
                let place = try HostAndPort(mqtt, of: "--mqtt", example: "127.0.0.1:1883")
                broker = [MQTTSettings(host: place.host, port: place.port, name: "hall")]
            }
            var showControl: ShowControlService.Settings?
            if let osc, let desk {
                var settings = ShowControlService.Settings()
                let own = OSCEndpoint(host: "127.0.0.1", port: osc)
                (settings.serverSettings.udpEndpoints, settings.serverSettings.tcpEndpoints) = ([own], [own])
                settings.targets = [
                    OSCTarget(name: "desk", endpoint: OSCEndpoint(host: "127.0.0.1", port: desk))
                ]
                showControl = settings
            }
            var pair: FailoverCoordinator.Setup?
            if let link { pair = .main(address: "127.0.0.1", port: link) }
            if let backupOf { pair = .backup(of: "127.0.0.1", port: backupOf) }
            var timeouts = FailoverSettings()
            timeouts.silence = .seconds(takeoverSeconds)
            timeouts.copyingSilence = max(timeouts.copyingSilence, timeouts.silence)
            var performance = PerformanceComponents.Settings(
                modelLoader: ReferenceModelLoader(
                    modelsFolderPath: data + "/no-models", recordingsFolderPath: recordings),
                dataFolder: data, beginsNewShow: new,
                locksMemory: false,
                oscSettings: showControl, brokerSettings: broker, pairSetup: pair,
                failoverTimeouts: timeouts)
            // A script's reports count at once, wherever they are.
            performance.isUnderWay = true
            var settings = ConcertServerSettings(
                performanceSettings: performance,
                webSettings: web, modelsFolder: models ?? data + "/no-models",
                linkKey: try linkKey.map { try BackupLinkKey(file: $0) },
                preShowListeningSeconds: checkSeconds, trueMeasureTimesPath: truth,
                recordingSettings: .init(offSentence: record ? nil : "This server was not to record."),
                makeFollower: { programme, kept, previous in
                    FollowerBox(ScriptedFollower(programme, keeping: kept, of: previous.follower))
                }
            ) { [port] show, _, maySendPacket in
                try await PhonePacketSender(
                    endpoint: MulticastEndpoint(
                        group: MulticastEndpoint.standardGroup, port: port, interface: "127.0.0.1"),
                    timeToLive: 0, rate: .standard, count: show.startPacketNumber,
                    maySendPacket: maySendPacket)
            }
            if let sources {
                var outside = OutsideSourceSettings()
                let key = data + "/setlistfm.key"
                try Data("stand-in-key".utf8).write(to: URL(fileURLWithPath: key))
                (outside.musicBrainz, outside.setlistFMAddress) = (sources, sources)
                (outside.setlistFMKeyFile, outside.contact) = (key, "tests@example.org")
                (outside.youTubeKeyFile, outside.youTubeAddress) = (key, sources)
                settings.outsideSources = try outside.makeSources(version: ConcertServer.version)
            }
            // The program is built into the same folder.
            settings.program = settings.program.deletingLastPathComponent().appending(path: "baton")
            return settings
        }
    }

    /// Reads the lines on a thread of its own.
    private static func obey(_ lines: ScriptLines) {
        Thread.detachNewThread {
            while let line = readLine() {
                do throws(ScriptLines.Mistake) {
                    try lines.obey(line)
                    print("ok")
                } catch {
                    print("no \(error.sentence)")
                }
                fflush(nil)
            }
            kill(getpid(), SIGTERM)
        }
    }
}
