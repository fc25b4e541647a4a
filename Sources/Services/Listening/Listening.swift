import Alignment
import FFTWTransform
import Features
import Following
import MusicalTime
import SoundFiles

/// Hears a reference recording from its file.
/// - Parameter progress: told how much of the work is done, 0…1.
/// - Returns: its frames, and its tuning in cents.
package func hearReference(
    _ path: String, channel: ChannelChoice = .mix, parameters: FeatureParameters = FeatureParameters(),
    progress: (Double) -> Void = { _ in }
) throws(SoundFileError) -> (frames: ReferenceFrames, tuningCents: Double) {
    let first = try SoundFileReader(path: path, channel: channel)
    let listening = ReferenceFrameExtractor(
        rate: first.rate, transforms: FFTWSpectrumMaker(), parameters: parameters)
    // Tuning costs about as much as hearing.
    let samples = Double(max(2 * first.frames, 1))
    var heard = 0
    func count(_ block: UnsafeBufferPointer<Float>) {
        heard += block.count
        if heard / block.count % 64 == 0 { progress(Double(heard) / samples) }
    }
    try forEachBlock(of: first) {
        listening.tune($0)
        count($0)
    }
    try forEachBlock(of: SoundFileReader(path: path, channel: channel)) {
        listening.hear($0)
        count($0)
    }
    return (listening.frames, listening.tuningCents)
}

/// Reads a file to its end, block by block.
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
