import MusicalTime

/// An opened capture device: the few ALSA calls that the capture loop needs, so that tests can play a
/// device that overruns or is pulled out.
///
/// Results are as ALSA's: negative ones are errno values. Used by one thread at a time; nothing allocates,
/// and nothing but ``wait(milliseconds:)`` waits.
protocol PCMStream: AnyObject {
    var format: CaptureFormat { get }
    func start() -> Int32
    /// - Returns: 1 when a period is ready, 0 when the time is over.
    func wait(milliseconds: Int32) -> Int32
    /// - Returns: the frames read, at most as many as asked for.
    func read(into bytes: UnsafeMutableRawPointer, frames: Int) -> Int
    /// Frames captured and not read yet.
    func waitingFrames() -> Int
    /// Makes the device ready to start again after an overrun or a suspension.
    func recover(from code: Int32) -> Int32
    func close()
}

/// Opens devices by name.
protocol PCMDriver: Sendable {
    func open(_ request: CaptureRequest) throws(CaptureError) -> any PCMStream
}

/// The monotonic clock, and sleep, as the capture loop uses them.
struct CaptureClock: Sendable {
    var now: @Sendable () -> Int64
    var sleep: @Sendable (_ nanoseconds: Int64) -> Void
}
