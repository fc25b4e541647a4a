import Basics
import Following
import Hosting
import Listening
import ReferenceStore
import Sound

/// The sources of a session's statistics outside the room: the recordings of the evenings, and the models.
package struct RehearsalSound: Sendable {
    let evenings: any RecordedEvenings
    let models: ModelFolder
    /// The data folder, in which results are kept.
    let data: String

    package init(evenings: any RecordedEvenings, modelsFolder: String, data: String) {
        (self.evenings, models, self.data) = (evenings, ModelFolder(path: modelsFolder), data)
    }

    /// A stretch of a recorded file, in frames of the file.
    struct Piece: Equatable, Sendable {
        var path: String
        var frames: Range<Int>
        /// Milliseconds since 1970 of the first frame.
        var beganAt: Int64
    }

    /// Finds the recorded sound of a time; nil if it was not recorded, or if its recording was deleted.
    func sound(from: Int64, to: Int64) -> Piece? {
        for evening in evenings.listEvenings() {
            for part in evening.parts {
                let end = part.startedAt + Int64(part.seconds * 1_000)
                let span = max(from, part.startedAt)..<max(min(to, end), max(from, part.startedAt))
                guard span.count > 3_000, let file = try? SoundFileReader(path: part.path) else { continue }
                let perMillisecond = file.sampleRate.hertz / 1_000
                func frame(_ at: Int64) -> Int { Int(Double(at - part.startedAt) * perMillisecond) }
                let last = min(frame(span.upperBound), file.frameCount)
                guard frame(span.lowerBound) < last else { continue }
                return Piece(
                    path: part.path, frames: frame(span.lowerBound)..<last, beganAt: span.lowerBound)
            }
        }
        return nil
    }
}

/// Reads stretches of a recorded file.
struct StretchReader {
    let reader: SoundFileReader
    let frames: Range<Int>

    init(_ piece: RehearsalSound.Piece) throws(SoundFileError) {
        reader = try SoundFileReader(path: piece.path)
        frames = piece.frames
    }

    var hertz: Double { reader.sampleRate.hertz }

    /// Calls `take` with the samples of the stretch, in blocks.
    /// - Returns: false if `take` did, and ended the reading.
    func forEachBlock(_ take: (UnsafeBufferPointer<Float>) -> Bool) throws(SoundFileError) -> Bool {
        try reader.seek(toFrame: frames.lowerBound)
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4_096)
        defer { block.deallocate() }
        var rest = frames.count
        while rest > 0 {
            let room = UnsafeMutableBufferPointer(rebasing: block[..<min(rest, 4_096)])
            let count = try reader.read(into: room)
            guard count > 0 else { return true }
            rest -= count
            guard take(UnsafeBufferPointer(rebasing: room[..<count])) else { return false }
        }
        return true
    }

    /// Reads some seconds of the stretch.
    func samples(from: Double, to: Double) throws(SoundFileError) -> [Float] {
        let first = frames.lowerBound + max(Int(from * hertz), 0)
        let last = min(frames.lowerBound + Int(to * hertz), frames.upperBound)
        guard first < last else { return [] }
        try reader.seek(toFrame: first)
        var samples = [Float](repeating: 0, count: last - first)
        var filled = 0
        while filled < samples.count {
            let count = try samples.withUnsafeMutableBufferPointer { buffer throws(SoundFileError) in
                try reader.read(into: UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
            }
            guard count > 0 else { break }
            filled += count
        }
        return Array(samples[..<filled])
    }
}
