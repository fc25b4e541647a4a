import MusicalTime
import RealTime

/// Lane 1: what the follower hears with, a device or a file.
package protocol LiveInput: AnyObject, Sendable {
    /// For a person: the device's or the file's name.
    var name: String { get }
    var rate: SampleRate { get }
    /// Writes the ring and rings the bell until told to stop, or until there is no more.
    func run(into ring: SampleRing, ringing heard: WakeSignal, until stop: StopRequest)
    var status: LiveInputStatus { get }
}

/// How the input is doing.
package struct LiveInputStatus: Sendable, Equatable {
    /// Of an input that has heard nothing yet, and of which nothing is wrong.
    package static let initial = LiveInputStatus()

    /// Nothing more will come.
    package var isOver = false
    /// The device is away and looked for.
    package var isLost = false
    /// Why it went away, or why the file broke off.
    package var problem: String?
    package var overruns = 0
    package var losses = 0
    /// Samples that became silence for any of these reasons.
    package var lostSamples = 0
    package var peak: Float = 0
    package var rms: Float = 0
    package var heldPeak: Float = 0
    package var clippedSamples = 0
    package var silentSeconds = 0.0
}
