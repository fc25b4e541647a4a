import Basics
import Following
import Foundation
import Hosting
import Sound

/// The memory use of one follower. It is measured in a fresh process, because memory left over from an earlier
/// measurement would falsify it.
package struct FollowerMemoryCosts: Codable {
    /// The size of the model's frames, in bytes.
    var modelBytes: Int
    /// Growth of the process's memory in bytes, without the model's frames, after some seconds of following.
    var residentBytes: Int
    /// Peak growth of the process's memory in bytes, including the creation of the follower.
    var peakBytes: Int

    /// Seconds of music to follow before the memory is measured: long enough to try every key and use every buffer.
    private static let followedSeconds = 20.0

    /// Measures the memory use in a separate process.
    package static func measureInSeparateProcess(minutes: Double) throws -> FollowerMemoryCosts {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["benchmark", "--memory-of", "\(minutes)"]
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0,
            let costs = try? JSONDecoder().decode(FollowerMemoryCosts.self, from: said)
        else {
            throw ExplainedError(
                "The memory of a reference of \(Int(minutes)) min could not be measured: the process for "
                    + "it ended with status \(process.terminationStatus).")
        }
        return costs
    }

    /// Measures the memory use of this process, which must be a fresh one.
    package init(minutes: Double) throws {
        ResidentMemory.disableAllocationReuse()
        let reference = SyntheticReference(longestMinutes: 10)
        ResidentMemory.resetPeak()
        let before = ResidentMemory.bytes
        let programme = try Self.makeProgramme(reference, minutes: minutes)
        modelBytes = programme.frameBytes
        let concert = ConcertFollower(
            programme: programme.ready, sampleRate: SyntheticReference.rate, transforms: FFTWSpectrumMaker())
        var music = SyntheticMusic(rate: concert.sampleRate)
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: concert.samplesToHopEnd + 1)
        defer { block.deallocate() }
        for _ in 0..<Int(Self.followedSeconds * 50) {
            let hop = UnsafeMutableBufferPointer(rebasing: block[..<concert.samplesToHopEnd])
            music.play(into: hop)
            concert.hearSamples(UnsafeBufferPointer(hop)) { _ in }
        }
        residentBytes = ResidentMemory.bytes - before - modelBytes
        peakBytes = ResidentMemory.peakBytes - before - modelBytes
        // Keeps the reference alive until the last reading, because the first reading counted its memory.
        withExtendedLifetime(reference) {}
    }

    /// Makes the programme in a separate function, so that the model's source rows are freed on return, as after a real
    /// start.
    private static func makeProgramme(
        _ reference: SyntheticReference, minutes: Double
    ) throws -> (ready: ConcertProgramme, frameBytes: Int) {
        let model = try reference.makeModel(minutes: minutes)
        return (ConcertProgramme(title: "Benchmark", pieceModels: [model]), model.totalFrameBytes)
    }

    package var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
