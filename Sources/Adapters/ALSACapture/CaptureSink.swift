/// Receives captured audio; in production it is a ring buffer that wakes the follow thread.
///
/// Bound to classes, so that a call is one jump through a witness table: no boxing, no allocation, no lock. Both
/// methods are called on the capture thread and must not wait, allocate or lock.
///
/// Together the two calls account for every frame since the start: the sum of their counts is live time.
public protocol CaptureSink: AnyObject {
    /// Takes mono samples in -1…1. The buffer is valid during the call only.
    /// - Parameter capturedAtNanoseconds: capture time of the last sample, by `CLOCK_MONOTONIC`.
    func take(_ samples: UnsafeBufferPointer<Float>, capturedAtNanoseconds: Int64)

    /// Takes the length of audio that was lost by an overrun or because the device was away. While it is away this is
    /// called every 50 ms, so that the silence is processed as it happens.
    /// - Parameter capturedAtNanoseconds: when the last of the missing samples would have been captured.
    func takeSilence(count: Int, capturedAtNanoseconds: Int64)
}
