/// Receives captured audio. In production the receiver is a ring buffer that wakes the follower's thread.
///
/// Only classes can conform, so that a call needs no boxing, allocation or lock. Both methods are called on the capture
/// thread and must not wait, allocate or lock.
///
/// Together the two methods account for every frame since the start: the sum of their counts is the time in the live
/// audio.
public protocol CaptureSink: AnyObject {
    /// Receives mono samples in -1…1. The buffer is valid during the call only.
    /// - Parameter capturedAtNanoseconds: the capture time of the last sample, by `CLOCK_MONOTONIC`.
    func take(_ samples: UnsafeBufferPointer<Float>, capturedAtNanoseconds: Int64)

    /// Receives the length of audio that was lost by an overrun or because the device was away. While the device is
    /// away, a call comes every 50 ms, so that the silence is processed as it happens.
    /// - Parameter capturedAtNanoseconds: the time at which the last of the missing samples would have been captured.
    func takeSilence(count: Int, capturedAtNanoseconds: Int64)
}
