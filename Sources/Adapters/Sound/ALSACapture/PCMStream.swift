import Basics

/// An opened capture device with the ALSA calls that the capture loop needs. Tests simulate a device that overruns or
/// is unplugged.
///
/// Results follow ALSA: negative values are errno values. One thread uses the device at a time. Nothing allocates, and
/// only ``wait(milliseconds:)`` waits; for a sound server's device, its library allocates there.
protocol PCMStream: AnyObject {
    var format: CaptureFormat { get }
    func start() -> Int32
    /// Waits until the next period of audio is ready.
    /// - Returns: 1 when a period is ready, 0 after the timeout, a negative errno on failure.
    func wait(milliseconds: Int32) -> Int32
    /// Reads captured frames without waiting.
    /// - Returns: the number of frames read, at most `frames`; a negative errno on failure.
    func read(into bytes: UnsafeMutableRawPointer, frames: Int) -> Int
    /// The number of frames that were captured and not read yet.
    func waitingFrames() -> Int
    /// Prepares the device for a new start after an overrun or a suspension.
    func recover(from code: Int32) -> Int32
    func close()
}

/// Opens capture devices by name.
protocol PCMOpener: Sendable {
    func open(_ request: CaptureRequest) throws(CaptureError) -> any PCMStream
}

/// The monotonic clock and the sleep function of the capture loop; tests replace them.
struct CaptureClock: Sendable {
    var now: @Sendable () -> Int64
    var sleep: @Sendable (_ nanoseconds: Int64) -> Void
}
