import Basics
import Platform

/// The source of the sound that the follower hears: a device or a file. It runs on the capture thread.
package protocol SoundSource: AnyObject, Sendable {
    /// The device's or file's name, for people.
    var name: String { get }
    var rate: SampleRate { get }
    /// Passes on sound until told to stop or until the source ends.
    func deliverSamples(to sound: CapturedSound, until stop: StopRequest)
    var status: SoundSourceStatus { get }
}

/// The state of the audio input: its level, its lost samples and its faults.
package struct SoundSourceStatus: Sendable, Equatable {
    /// The status of an input that has heard nothing yet and has no problem.
    package static let initial = SoundSourceStatus()

    /// True when a file has been played to its end.
    package var hasReachedEnd = false
    /// True while the device is unplugged and being looked for.
    package var isLost = false
    /// The reason why the device was lost, or why the file could not be read further; nil if neither happened.
    package var failureReason: String?
    /// The advice if the source is lost, as the end of a sentence.
    package var remedy = "plug it in again; it is then opened automatically"
    package var overruns = 0
    package var deviceLosses = 0
    /// The number of samples that were replaced by silence because of overruns or a lost device.
    var lostSamples = 0
    package var peak: Float = 0
    package var rms: Float = 0
    package var heldPeak: Float = 0
    package var clippedSamples = 0
    package var silentSeconds = 0.0
    /// The held peak of each channel of a device, whichever is heard; empty for other sources.
    var channelPeaks: [Float] = []
}
