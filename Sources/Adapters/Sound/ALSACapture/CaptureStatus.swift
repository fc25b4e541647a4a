import Synchronization

/// The state of the capture, with its counts of errors and lost frames.
public struct CaptureStatus: Equatable, Sendable {
    /// The state of the capture.
    public enum State: UInt8, Sendable, Codable {
        /// The device is open, but `run` has not started yet or has ended.
        case idle
        case running
        /// The device has disappeared; the capture searches for it by name.
        case lost
    }

    public var state: State
    public var capturedPeriods: Int
    public var capturedFrames: Int
    /// The number of frames reported as silence, for any reason.
    public var lostFrames: Int
    /// The number of times the device's buffer overran.
    public var overruns: Int
    /// The number of times the device disappeared.
    public var deviceLosses: Int
    /// The number of attempts to open the lost device again.
    public var reopenAttempts: Int
    /// The number of successful attempts to open the lost device again.
    public var reopenings: Int
    /// The errno of the newest overrun, loss or failed attempt; 0 if there was none.
    public var newestErrno: Int32

    /// The text of ``newestErrno``; nil if there was none.
    public var newestErrorText: String? { newestErrno == 0 ? nil : alsaErrorText(newestErrno) }
}

/// The counts of ``CaptureStatus`` as atomic variables: the capture thread writes them, any thread reads them.
final class CaptureCounters: Sendable {
    let state = Atomic<UInt8>(CaptureStatus.State.idle.rawValue)
    let capturedPeriods = Atomic<Int>(0)
    let capturedFrames = Atomic<Int>(0)
    let lostFrames = Atomic<Int>(0)
    let overruns = Atomic<Int>(0)
    let deviceLosses = Atomic<Int>(0)
    let reopenAttempts = Atomic<Int>(0)
    let reopenings = Atomic<Int>(0)
    let newestErrno = Atomic<Int32>(0)

    func setState(_ new: CaptureStatus.State) { state.store(new.rawValue, ordering: .relaxed) }

    var status: CaptureStatus {
        CaptureStatus(
            state: CaptureStatus.State(rawValue: state.load(ordering: .relaxed)) ?? .idle,
            capturedPeriods: capturedPeriods.load(ordering: .relaxed),
            capturedFrames: capturedFrames.load(ordering: .relaxed),
            lostFrames: lostFrames.load(ordering: .relaxed),
            overruns: overruns.load(ordering: .relaxed),
            deviceLosses: deviceLosses.load(ordering: .relaxed),
            reopenAttempts: reopenAttempts.load(ordering: .relaxed),
            reopenings: reopenings.load(ordering: .relaxed),
            newestErrno: newestErrno.load(ordering: .relaxed))
    }
}

extension Atomic where Value == Int {
    /// Adds to a counter of the capture thread.
    func increment(_ more: Int = 1) { wrappingAdd(more, ordering: .relaxed) }
}
