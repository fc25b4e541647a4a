import Alignment
import FFTWTransform
import Features
import Following
import MusicalTime
import SoundFiles

/// Computes the feature frames and the tuning of a reference recording.
/// - Parameter progress: called with the completed share of the work, 0 to 1.
/// - Returns: the frames, and the tuning in cents.
package func computeReferenceFrames(
    _ path: String, channel: ChannelChoice = .mix, parameters: FeatureParameters = FeatureParameters(),
    progress: (Double) -> Void = { _ in }
) throws(SoundFileError) -> (frames: ReferenceFrames, tuningCents: Double) {
    let first = try SoundFileReader(path: path, channel: channel)
    let listening = ReferenceFrameExtractor(
        rate: first.rate, transforms: FFTWSpectrumMaker(), parameters: parameters)
    // The file is read twice: once for the tuning, once for the frames, at about the same cost.
    let samples = Double(max(2 * first.frames, 1))
    var heard = 0
    func count(_ block: UnsafeBufferPointer<Float>) {
        heard += block.count
        if heard / block.count % 64 == 0 { progress(Double(heard) / samples) }
    }
    try forEachBlock(of: first) {
        listening.addToTuning($0)
        count($0)
    }
    try forEachBlock(of: SoundFileReader(path: path, channel: channel)) {
        listening.addFrames($0)
        count($0)
    }
    return (listening.frames, listening.tuningCents)
}

/// Reads a sound file to its end, in blocks of at most `samples` samples.
package func forEachBlock(
    of reader: SoundFileReader, samples: Int = 4096, _ take: (UnsafeBufferPointer<Float>) -> Void
) throws(SoundFileError) {
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: samples)
    defer { block.deallocate() }
    while true {
        let count = try reader.read(into: block)
        guard count > 0 else { return }
        take(UnsafeBufferPointer(rebasing: block[..<count]))
    }
}
