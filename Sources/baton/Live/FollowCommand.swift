import ArgumentParser
import Following
import Foundation
import Hosting
import Performance
import Platform
import Recordings
import ShowLog
import Sound

/// `baton follow` listens to a sound device and reports the position in the music.
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Listens to a device, follows the performance, and tells the audience's phones.",
        discussion: """
            `baton devices` lists the devices. One that goes away is looked for by name until it is back; \
            meanwhile silence is heard and the position coasts.
            What is heard is also recorded, unless --no-record is given: `baton recordings list`.
            Exit status: 0 all is well (also when interrupted), 1 something failed, 64 the command makes no \
            sense.
            """)

    @OptionGroup var programme: ProgrammeOptions
    @OptionGroup(title: "Method") var method: FollowingMethodOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Packets") var packets: MulticastOptions

    @OptionGroup var sound: SoundDeviceOptions

    @Flag(inversion: .prefixedNo, help: "Record the sound that is heard.")
    var record = true

    @Option(
        help: ArgumentHelp(
            "Data folder, in which recordings are kept until they are deleted.", valueName: "folder"),
        completion: .directory)
    var data = ServeOptions.defaultDataFolder

    @Option(help: "End after so many seconds; by default at Ctrl-C.")
    var seconds: Double?

    func validate() throws {
        if let seconds, !(seconds > 0 && seconds <= 10_000_000) {
            throw ValidationError("--seconds must be more than 0 and at most 10000000, not \(seconds).")
        }
    }

    func run() async throws {
        try await printingErrors(as: "follow") {
            let loaded = try programme.loadProgramme(features: method.features)
            let input = try DeviceSoundSource(sound.captureRequest)
            let concert = ConcertFollower(
                programme: loaded.programme, sampleRate: input.rate, transforms: FFTWSpectrumMaker(),
                start: loaded.place, advance: programme.advance, method: method.method)
            try await runPerformanceInRealTime(
                lane: FollowLane(concert), input: input, programme: loaded.programme,
                folders: loaded.folders, isUnderWay: loaded.place != .beginning, output: output,
                packets: packets,
                limit: seconds.map { .seconds($0) },
                recorder: record ? makeRecorder(of: loaded.programme, folders: loaded.folders, input) : nil)
        }
    }

    private func makeRecorder(
        of programme: ConcertProgramme, folders: [String], _ input: any SoundSource
    ) -> SoundRecorder {
        let names = programme.pieceModels.map { "\($0.pieceName)" }
        let name = ServerDataFolder.formatFolderTimestamp(Date()) + "-follow"
        let title = names.count == 1 ? names[0] : "\(names[0]) and \(names.count - 1) more"
        let pieces = zip(names, folders).map { ($0, $1) }
        return SoundRecorder(
            rate: input.rate, name: { name }, title: { title }, pieces: { pieces },
            store: RecordingStore(data: data),
            diskReserve: DiskReserve(folder: data))
    }
}
