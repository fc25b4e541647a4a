import Alignment
import Basics
import Features
import Following
import Sound

/// The sound of a reference recording in the form in which the follower compares it: feature frames and tuning.
package struct ReferenceSound: Sendable {
    package var frames: ReferenceFeatureFrames
    /// The same recording in other rooms, usually those of ``RoomShape/ofReferences``.
    package var roomCopies: [RoomCopy]
    package var tuningCents: Double
}

/// Computes the feature frames and the tuning of a reference recording.
/// - Parameters:
///   - rooms: the rooms in which the recording is heard as well.
///   - progress: called with the completed share of the work, 0 to 1.
package func computeReferenceFrames(
    _ path: String, channel: AudioChannelChoice = .meanOfAllChannels,
    parameters: FeatureParameters = FeatureParameters(), rooms: [RoomShape] = RoomShape.ofReferences,
    progress: (Double) -> Void = { _ in }
) throws(SoundFileError) -> ReferenceSound {
    let first = try SoundFileReader(path: path, channel: channel)
    let listening = ReferenceFrameExtractor(
        sampleRate: first.sampleRate, transforms: FFTWSpectrumMaker(), parameters: parameters, rooms: rooms)
    // The file is read twice: once for the tuning, once for the frames. A pass costs about as much as each room.
    let work = Double(max((2 + rooms.count) * first.frameCount, 1))
    var done = 0
    func showProgress(_ block: UnsafeBufferPointer<Float>, cost: Int) {
        done += cost * block.count
        if done / (cost * block.count) % 64 == 0 { progress(Double(done) / work) }
    }
    try forEachBlock(of: first) {
        listening.addTuningPassSamples($0)
        showProgress($0, cost: 1)
    }
    try forEachBlock(of: SoundFileReader(path: path, channel: channel)) {
        listening.addFramePassSamples($0)
        showProgress($0, cost: 1 + rooms.count)
    }
    return ReferenceSound(
        frames: listening.frames, roomCopies: listening.roomCopies, tuningCents: listening.tuningCents)
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
