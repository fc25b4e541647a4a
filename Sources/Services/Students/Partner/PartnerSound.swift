import Platform
import Sound

/// Reads the sound of recordings in parts for the pages that play them along, on one thread of low priority.
///
/// A part is a WAV file of one channel of 16 bits at the recording's own rate: ten seconds, and a margin on either
/// side, so that a page that resamples each part has no seams. Outside the recording there is silence, so that all
/// parts are equally long.
actor PartnerSound {
    static let partSeconds = 10
    /// The margin before and after each part, in milliseconds.
    static let marginMilliseconds = 50

    private let thread: PracticeThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init() throws(RealTimeError) { thread = try PracticeThread(name: "partner-sound") }

    static func partCount(_ recording: PartnerRecording) -> Int {
        let frames = partSeconds * recording.hertz
        return (recording.frameCount + frames - 1) / frames
    }

    /// - Parameter number: counted from 0.
    /// - Returns: nil if the recording has no such part, or cannot be read there.
    func wave(_ number: Int, of recording: PartnerRecording) -> [UInt8]? {
        guard (0..<Self.partCount(recording)).contains(number) else { return nil }
        let margin = Self.marginMilliseconds * recording.hertz / 1_000
        let begin = number * Self.partSeconds * recording.hertz - margin
        let count = Self.partSeconds * recording.hertz + 2 * margin
        guard let reader = try? SoundFileReader(path: recording.soundPath) else { return nil }
        let missing = max(0, -begin)
        var samples = [Float](repeating: 0, count: count)
        do throws(SoundFileError) {
            try reader.seek(toFrame: max(0, begin))
            _ = try samples.withUnsafeMutableBufferPointer { buffer throws(SoundFileError) in
                try reader.read(into: UnsafeMutableBufferPointer(rebasing: buffer[missing...]))
            }
        } catch { return nil }
        return Self.waveFile(samples, hertz: recording.hertz)
    }

    /// A WAV file of one channel of 16 bits.
    static func waveFile(_ samples: [Float], hertz: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + 2 * samples.count)
        func add(_ text: String) { bytes += text.utf8 }
        func add(_ number: Int, bytes count: Int) {
            for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
        }
        add("RIFF")
        add(36 + 2 * samples.count, bytes: 4)
        add("WAVEfmt ")
        add(16, bytes: 4)
        add(1, bytes: 2)  // PCM
        add(1, bytes: 2)  // one channel
        add(hertz, bytes: 4)
        add(2 * hertz, bytes: 4)
        add(2, bytes: 2)
        add(16, bytes: 2)
        add("data")
        add(2 * samples.count, bytes: 4)
        for sample in samples {
            let value = Int16((min(max(sample, -1), 1) * 32_767).rounded())
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        }
        return bytes
    }
}
