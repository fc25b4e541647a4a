/// Where captured audio goes: in production, a ring buffer and a doorbell.
///
/// Bound to classes, so that a call is one jump through a witness table: no boxing, no allocation, no lock.
/// Both methods are called on the capture thread and must neither wait, nor allocate, nor lock.
///
/// Together the two account for every frame since the start: the sum of their counts is live time.
public protocol CaptureSink: AnyObject {
    /// Mono samples in -1…1, valid during the call.
    /// - Parameter capturedAtNanoseconds: `CLOCK_MONOTONIC` when the last of them was captured.
    func take(_ samples: UnsafeBufferPointer<Float>, capturedAtNanoseconds: Int64)

    /// Audio that was lost: an overrun, or the device being away. While it is away this comes every
    /// 50 ms, so that silence is heard as it happens.
    /// - Parameter capturedAtNanoseconds: when the last of the missing samples would have been captured.
    func takeSilence(count: Int, capturedAtNanoseconds: Int64)
}
