import ArgumentParser
import FFTWTransform
import Following
import Foundation
import MusicalTime

/// What one follower takes in memory, measured in a process that has done nothing else: what an earlier measurement
/// left to be used again would make the next one look smaller than it is.
struct MemoryCosts: Codable {
    /// Bytes that the frames of the model take.
    var modelBytes: Int
    /// What the process holds beside them once the music was followed for some seconds, more than before all of it.
    var residentBytes: Int
    /// The most it held beside them, making the follower included.
    var peakBytes: Int

    /// Music that is followed before the memory is read: every key is tried, every buffer was used.
    private static let seconds = 20.0

    /// Measures in a process of its own.
    static func measured(minutes: Double) throws -> MemoryCosts {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["benchmark", "--memory-of", "\(minutes)"]
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0,
            let costs = try? JSONDecoder().decode(MemoryCosts.self, from: said)
        else {
            throw LiveFailure(
                sentence:
                    "The memory of a reference of \(Int(minutes)) min could not be measured: the process for "
                    + "it ended with status \(process.terminationStatus).")
        }
        return costs
    }

    /// Measures in this process, which must be a fresh one.
    init(minutes: Double) throws {
        ResidentMemory.keepNothingForLater()
        let reference = SyntheticReference(longestMinutes: 10)
        ResidentMemory.forgetPeak()
        let before = ResidentMemory.bytes
        let programme = try Self.programme(reference, minutes: minutes)
        modelBytes = programme.frameBytes
        let concert = ConcertFollower(
            programme: programme.ready, rate: SyntheticReference.rate, transforms: FFTWSpectrumMaker())
        var music = SyntheticMusic(rate: concert.rate)
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: concert.samplesToHopEnd + 1)
        defer { block.deallocate() }
        for _ in 0..<Int(Self.seconds * 50) {
            let hop = UnsafeMutableBufferPointer(rebasing: block[..<concert.samplesToHopEnd])
            music.play(into: hop)
            concert.hear(UnsafeBufferPointer(hop)) { _ in }
        }
        residentBytes = ResidentMemory.bytes - before - modelBytes
        peakBytes = ResidentMemory.peakBytes - before - modelBytes
    }

    /// The rows that the model was made of are gone when this returns, as after a start.
    private static func programme(
        _ reference: SyntheticReference, minutes: Double
    ) throws -> (ready: Programme, frameBytes: Int) {
        let model = try reference.model(minutes: minutes)
        return (Programme(title: "Benchmark", models: [model]), model.frameBytes)
    }

    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
