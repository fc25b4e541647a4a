import Alignment
import FFTWTransform
import Features
import Following
import MusicalTime
import Score

/// A synthetic reference of any length.
///
/// Up to ten minutes are computed from sound; a longer reference repeats these frames, each time a semitone higher,
/// so that no two passages are equal.
package struct SyntheticReference {
    package static let rate = SampleRate(hertz: 44_100)
    private static let computedMinutes = 10.0
    private static let measureSeconds = 2.0
    private let computedFrames: ReferenceFrames
    private let computedRoomCopies: [RoomCopy]
    private let framesPerSecond: Int

    /// Computes the part of the reference that longer models repeat.
    /// - Parameter longestMinutes: length of the longest model that will be requested.
    package init(longestMinutes: Double) {
        let parameters = FeatureParameters()
        framesPerSecond = parameters.framesPerSecond
        let seconds = min(longestMinutes, Self.computedMinutes) * 60
        let listening = ReferenceFrameExtractor(
            rate: Self.rate, transforms: FFTWSpectrumMaker(), parameters: parameters,
            rooms: RoomShape.ofReferences)
        Self.play(seconds: seconds) { listening.addToTuning($0) }
        Self.play(seconds: seconds) { listening.addFrames($0) }
        computedFrames = listening.frames
        computedRoomCopies = listening.roomCopies
    }

    /// Makes a reference model of the given length.
    /// - Complexity: O(minutes) in time and memory.
    package func model(minutes: Double) throws -> ReferenceModel {
        let frameCount = Int(minutes * 60 * Double(framesPerSecond))
        let measures = try MeasureMap(
            marks: (0..<max(Int(minutes * 60 / Self.measureSeconds), 1)).map {
                PlayedMeasure(
                    printed: $0 + 1, onset: ReferenceTime(seconds: Double($0) * Self.measureSeconds))
            }, end: ReferenceTime(seconds: minutes * 60 + 0.5))
        return ReferenceModel(
            name: try PieceName("Nobody, Benchmark: Tones"), measures: measures,
            framesPerSecond: framesPerSecond, references: [Self.repeated(computedFrames, count: frameCount)],
            roomCopies: [
                computedRoomCopies.map {
                    RoomCopy(room: $0.room, frames: Self.repeated($0.frames, count: frameCount))
                }
            ])
    }

    private static func repeated(_ computedFrames: ReferenceFrames, count: Int) -> ReferenceFrames {
        let dimensions = computedFrames.dimensions
        let bands = dimensions / 2
        let values = [Float](unsafeUninitializedCapacity: count * dimensions) { values, filled in
            for frame in 0..<count {
                let (repetition, source) = frame.quotientAndRemainder(dividingBy: computedFrames.frameCount)
                for value in 0..<dimensions {
                    let part = value / bands * bands
                    let band = (value - part + bands - repetition % bands) % bands
                    values[frame * dimensions + value] =
                        computedFrames.values[source * dimensions + part + band]
                }
            }
            filled = count * dimensions
        }
        return ReferenceFrames(
            values: values, dimensions: dimensions,
            power: (0..<count).map { computedFrames.power[$0 % computedFrames.frameCount] })
    }

    private static func play(seconds: Double, _ take: (UnsafeBufferPointer<Float>) -> Void) {
        var music = SyntheticMusic(rate: rate)
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4_410)
        defer { block.deallocate() }
        for _ in 0..<Int(seconds * 10) {
            music.play(into: block)
            take(UnsafeBufferPointer(block))
        }
    }
}

extension ReferenceModel {
    /// The bytes that a follower keeps for a model's frames, which are not tiled yet.
    var frameBytes: Int {
        let copies = roomCopies.joined().map(\.frames)
        return (references + copies).reduce(0) { $0 + $1.values.count * CompactTiles.bytesPerValue }
    }
}
