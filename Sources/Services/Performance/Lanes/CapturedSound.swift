import Basics
import Platform

/// Receives the sound from the capture thread. It goes into the ring of the follow thread and, if the sound is
/// recorded, into a second ring for the recorder. No reader of the rings can delay the capture thread.
///
/// Cost: one copy of the samples for each ring, and one system call to wake the follow thread. The recorder looks for
/// sound by itself.
package final class CapturedSound: Sendable {
    private let followRing: SampleRing
    private let samplesArrived: WakeSignal
    private let recordingRing: SampleRing?
    private let silenceMeter: SilenceMeter?

    /// - Parameters:
    ///   - recordingRing: nil if the sound is not recorded.
    ///   - silenceMeter: gets the sound while it listens; nil if nobody measures the silence.
    package init(
        for lane: FollowLane, recordingRing: SampleRing? = nil, silenceMeter: SilenceMeter? = nil
    ) {
        (followRing, samplesArrived) = (lane.ring, lane.samplesArrived)
        (self.recordingRing, self.silenceMeter) = (recordingRing, silenceMeter)
    }

    /// Passes on a block of samples, full scale ±1; wait-free.
    /// - Parameter captured: the capture time of the block's last sample.
    package func write(_ samples: UnsafeBufferPointer<Float>, capturedAt captured: MonotonicInstant) {
        followRing.write(samples, capturedAt: captured)
        samplesArrived.ring()
        recordingRing?.write(samples, capturedAt: captured)
        if let silenceMeter, silenceMeter.isListening.load(ordering: .acquiring) {
            silenceMeter.ring.write(samples, capturedAt: captured)
        }
    }

    /// Passes on silence in place of sound that is known to be missing; wait-free.
    package func writeSilence(count: Int, capturedAt captured: MonotonicInstant) {
        followRing.writeSilence(count: count, capturedAt: captured)
        samplesArrived.ring()
        recordingRing?.writeSilence(count: count, capturedAt: captured)
    }

    /// Wakes the follow thread after the last sample.
    func end() { samplesArrived.ring() }
}
