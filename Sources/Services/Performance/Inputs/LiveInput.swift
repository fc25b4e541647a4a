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
    /// Nothing more will come.
    package var isOver = false
    /// The device is away and looked for.
    package var isLost = false
    /// Why it went away, or why the file broke off.
    package var problem: String?
    var overruns = 0
    var losses = 0
    /// Samples that became silence for any of these reasons.
    var lostSamples = 0
    var peak: Float = 0
    var rms: Float = 0
    var heldPeak: Float = 0
    var clippedSamples = 0
    var silentSeconds = 0.0
}
