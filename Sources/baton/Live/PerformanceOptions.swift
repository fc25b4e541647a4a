import ArgumentParser
import Basics
import Concert
import Features
import Following
import Foundation
import Hosting
import NetworkLinks
import Performance

/// The pieces to follow and where they come from, for commands that follow what they are told.
struct ProgrammeOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The piece's folder name, several separated by commas, or a concert file (.json).",
            valueName: "piece|concert"))
    var what: String

    @OptionGroup var pieces: PieceOptions

    var advance: PieceAdvanceRule { pieces.advance }
    var modelLoader: ReferenceModelLoader { pieces.modelLoader }

    /// Loads the models and finds the place where the music begins.
    func loadProgramme(features: FeatureKind = .refined) throws -> LoadedProgramme {
        let wanted = try RequestedProgramme(what)
        return try pieces.placed(modelLoader.loadProgramme(wanted, features: features), wanted)
    }
}

/// The models of a programme, the folders of its pieces, and the place where the music begins.
typealias LoadedProgramme = (programme: ConcertProgramme, folders: [String], place: ProgrammePosition)

/// Options that say where pieces come from and how they are followed, shared by all live commands.
struct PieceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the music begins: a measure number, 'unknown', PIECE, PIECE:MEASURE or PIECE:unknown.",
            valueName: "[piece:]measure"))
    var start: String?

    @Option(help: ArgumentHelp("Folder of prepared pieces.", valueName: "folder"), completion: .directory)
    var models = "Models"

    @Option(
        help: ArgumentHelp("Folder of recordings, for pieces that are not prepared.", valueName: "folder"),
        completion: .directory)
    var recordings = "Recordings"

    @Option(help: ArgumentHelp("The performance to use as reference for such pieces.", valueName: "name"))
    var reference: String?

    @Option(
        help: ArgumentHelp(
            "Which piece the follower may go on with by itself: the next, or any: a concert that begins "
                + "again, an encore, another order.",
            valueName: "next|any"))
    var advance = PieceAdvanceRule.next

    func validate() throws {
        if let start, RequestedStartPosition(start) == nil {
            throw ValidationError(
                "--start is a measure number, 'unknown', PIECE, PIECE:MEASURE or PIECE:unknown, not “\(start)”."
            )
        }
    }

    var modelLoader: ReferenceModelLoader {
        ReferenceModelLoader(
            modelsFolderPath: models, recordingsFolderPath: recordings, referencePerformanceName: reference)
    }

    /// Loads the models, which are not made ready to follow, and finds the place where the music begins.
    /// - Parameter read: models by folder that were read already.
    func loadUnreadyProgramme(
        _ wanted: RequestedProgramme, read: [String: ReferenceModel] = [:]
    ) throws -> LoadedProgramme {
        try placed(modelLoader.loadUnreadyProgramme(wanted, read: read), wanted)
    }

    /// Finds the place in a programme where the music begins.
    fileprivate func placed(
        _ programme: ConcertProgramme, _ wanted: RequestedProgramme
    ) throws -> LoadedProgramme {
        let place =
            try start.flatMap { RequestedStartPosition($0) }?.resolve(
                in: programme, folders: wanted.pieceFolderNames)
            ?? .beginning
        return (programme, wanted.pieceFolderNames, place)
    }
}

extension PieceAdvanceRule: ExpressibleByArgument {}

/// Options that choose which files to record and what to print.
struct OutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write every report to a file, .csv or .jsonl; - is standard output.", valueName: "file"))
    var reports: String?

    @Option(
        help: ArgumentHelp("Write lines of time,measure, as the benchmark reads them.", valueName: "file"))
    var benchmarkCsv: String?

    @Option(help: ArgumentHelp("Write statistics every 10 s, as JSON lines.", valueName: "file"))
    var stats: String?

    @Flag(help: "Say nothing but errors.")
    var quiet = false

    @Flag(help: "Print JSON lines instead of words, and never a screen.")
    var json = false

    func validate() throws {
        if reports == "-", benchmarkCsv == "-" {
            throw ValidationError("Only one of --reports and --benchmark-csv can be standard output.")
        }
    }

    /// The descriptor of the terminal: standard output, or standard error if reports are written to standard output.
    private var terminalDescriptor: Int32 {
        reports == "-" || benchmarkCsv == "-" ? STDERR_FILENO : STDOUT_FILENO
    }

    /// Makes the terminal display; nil if there is no terminal to draw on, or if it is not wanted.
    func makeTerminalView(_ programme: ConcertProgramme, input: any SoundSource) -> TerminalView? {
        guard !quiet, !json else { return nil }
        return TerminalView(descriptor: terminalDescriptor, programme: programme, inputName: input.name)
    }

    func makeReportRecorder(
        programme: ConcertProgramme, folders: [String], withLines: Bool
    ) throws -> ReportRecorder {
        var reportFiles: [ReportRecorder.ReportFile] = []
        if let reports {
            reportFiles.append(
                ReportRecorder.ReportFile(
                    output: try TextOutput(path: reports), format: ReportFileFormat(path: reports)))
        }
        if let benchmarkCsv {
            reportFiles.append(
                ReportRecorder.ReportFile(output: try TextOutput(path: benchmarkCsv), format: .benchmark))
        }
        var statsOutput: TextOutput?
        if let stats { statsOutput = try TextOutput(path: stats) }
        return ReportRecorder(
            reportFiles: reportFiles,
            readableLineOutput: withLines && !quiet ? TextOutput(standard: terminalDescriptor) : nil,
            statisticsOutput: statsOutput, isJSON: json, pieceFolderNames: folders,
            pieceNames: programme.pieceModels.map(\.pieceName.text))
    }
}

/// Options for the multicast packets that tell phones the position.
struct MulticastOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Send the measure to the audience's phones.")
    var multicast = true

    @Option(help: "The multicast group.")
    var group = MulticastEndpoint.standardGroup

    @Option(help: "The UDP port.")
    var port = MulticastEndpoint.standardPort

    @Option(
        help: "The interface to send through: one of this machine's IPv4 addresses, or a name such as eth0.")
    var interface = MulticastEndpoint.standardInterface

    @Option(help: "How many routers a packet may pass.")
    var ttl: UInt8 = 1

    @Option(help: ArgumentHelp("How often the measure is sent, in packets a second.", valueName: "rate"))
    var packetRate = PacketRate.standard.packetsPerSecond

    func validate() throws {
        do { _ = try MulticastEndpoint(group: group, port: port, interface: interface) } catch {
            throw ValidationError(error.sentence)
        }
        guard PacketRate(packetsPerSecond: packetRate) != nil else {
            throw ValidationError(
                "--packet-rate is \(Int(PacketRate.allowedRange.lowerBound)) to "
                    + "\(Int(PacketRate.allowedRange.upperBound)) "
                    + "packets a second, not \(packetRate).")
        }
    }

    /// Creates the sender of packets; nil if multicast is off.
    /// - Parameters:
    ///   - count: the number of the last packet that an earlier run may have sent; numbering continues after it.
    ///   - maySendPacket: called before each packet, which is sent only if it returns true.
    func makePacketSender(
        for programme: ConcertProgramme, continuingFrom count: UInt64 = 0,
        while maySendPacket: @escaping @Sendable () -> Bool = { true }
    ) async throws -> PhonePacketSender? {
        guard multicast else { return nil }
        let endpoint = try MulticastEndpoint(group: group, port: port, interface: interface)
        return try await PhonePacketSender(
            endpoint: endpoint, timeToLive: ttl,
            rate: PacketRate(packetsPerSecond: packetRate) ?? .standard, count: count,
            maySendPacket: maySendPacket)
    }
}

/// Parses a channel as written on the command line.
func parseAudioChannel(_ text: String) throws -> AudioChannelChoice {
    guard let channel = AudioChannelChoice(text) else {
        throw ValidationError("A channel is mix or a number from 1, not “\(text)”.")
    }
    return channel
}
