import Alignment
import Basics
import Features
import Following
import Score
import Sound

/// A synthetic reference of any length.
///
/// Up to ten minutes are computed from sound; a longer reference repeats these frames, each time a semitone higher,
/// so that no two passages are equal.
package struct SyntheticReference {
    package static let rate = SampleRate(hertz: 44_100)
    private static let maximumComputedMinutes = 10.0
    private static let secondsPerMeasure = 2.0
    private let computedFrames: ReferenceFeatureFrames
    private let computedRoomCopies: [RoomCopy]
    private let framesPerSecond: Int

    /// Computes the part of the reference that longer models repeat.
    /// - Parameter longestMinutes: length of the longest model that will be requested.
    package init(longestMinutes: Double) {
        let parameters = FeatureParameters()
        framesPerSecond = parameters.framesPerSecond
        let seconds = min(longestMinutes, Self.maximumComputedMinutes) * 60
        let listening = ReferenceFrameExtractor(
            sampleRate: Self.rate, transforms: FFTWSpectrumMaker(), parameters: parameters,
            rooms: RoomShape.ofReferences)
        Self.streamMusicBlocks(seconds: seconds) { listening.addTuningPassSamples($0) }
        Self.streamMusicBlocks(seconds: seconds) { listening.addFramePassSamples($0) }
        computedFrames = listening.frames
        computedRoomCopies = listening.roomCopies
    }

    /// Makes a reference model of the given length.
    /// - Complexity: O(minutes) in time and memory.
    package func makeModel(minutes: Double) throws -> ReferenceModel {
        let frameCount = Int(minutes * 60 * Double(framesPerSecond))
        let measures = try MeasureMap(
            marks: (0..<max(Int(minutes * 60 / Self.secondsPerMeasure), 1)).map {
                PlayedMeasure(
                    printed: $0 + 1, onset: ReferenceTime(seconds: Double($0) * Self.secondsPerMeasure))
            }, end: ReferenceTime(seconds: minutes * 60 + 0.5))
        return ReferenceModel(
            pieceName: try PieceName("Nobody, Benchmark: Tones"), measures: measures,
            framesPerSecond: framesPerSecond,
            framesByRecording: [Self.repeated(computedFrames, count: frameCount)],
            roomCopies: [
                computedRoomCopies.map {
                    RoomCopy(room: $0.room, frames: Self.repeated($0.frames.unpacked, count: frameCount))
                }
            ])
    }

    private static func repeated(_ computedFrames: ReferenceFeatureFrames, count: Int) -> PackedFrames {
        let dimensions = computedFrames.dimensions
        let bands = dimensions / 2
        let values = [Float](unsafeUninitializedCapacity: count * dimensions) { values, filled in
            for frame in 0..<count {
                let (repetition, source) = frame.quotientAndRemainder(dividingBy: computedFrames.frameCount)
                for value in 0..<dimensions {
                    let part = value / bands * bands
                    let band = (value - part + bands - repetition % bands) % bands
                    values[frame * dimensions + value] =
                        computedFrames.featureValues[source * dimensions + part + band]
                }
            }
            filled = count * dimensions
        }
        let power = (0..<count).map { computedFrames.powerByFrame[$0 % computedFrames.frameCount] }
        return ReferenceFeatureFrames(featureValues: values, dimensions: dimensions, powerByFrame: power)
            .packed
    }

    private static func streamMusicBlocks(seconds: Double, _ take: (UnsafeBufferPointer<Float>) -> Void) {
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
    var totalFrameBytes: Int {
        let copies = roomCopies.joined().map(\.frames)
        return (framesByRecording + copies).reduce(0) {
            $0 + $1.frameCount * $1.dimensions * CompactTiles.bytesPerValue
        }
    }
}
