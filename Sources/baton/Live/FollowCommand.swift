import ArgumentParser
import FFTWTransform
import Following
import Foundation
import Performance
import RealTime

/// `baton follow` listens to a sound device and reports the position in the music.
struct FollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Listens to a device, follows the performance, and tells the audience's phones.",
        discussion: """
            `baton devices` lists the devices. One that goes away is looked for by name until it is back; \
            meanwhile silence is heard and the position coasts.
            Exit status: 0 all is well (also when interrupted), 1 something failed, 64 the command makes no \
            sense.
            """)

    @OptionGroup var programme: ProgrammeOptions
    @OptionGroup(title: "Method") var method: FollowingMethodOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Packets") var packets: MulticastOptions

    @OptionGroup var sound: SoundDeviceOptions

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
                folders: loaded.folders, output: output, packets: packets,
                limit: seconds.map { .seconds($0) })
        }
    }
}
