import Foundation
import Podium
import Synchronization
import Testing

@testable import ShowLog
@testable import TestHelpers

/// A disk that makes people wait is a fault with the time that was measured.
@Suite(.ownThreads) struct SlowDiskTests {
    /// A clock that goes on only when it is told to.
    private final class HeldClock: Sendable {
        private let time = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }
        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private let disk = BrokenDisk()
    private let clock = HeldClock()

    private func writer() -> ShowLogWriter {
        ShowLogWriter(
            show: "/show",
            header: LogHeader(show: "Evening", file: 1, first: 1, started: "2026-05-04T19:30:00Z"),
            limits: LogLimits(), now: { Date(timeIntervalSince1970: 1_777_923_000) }, open: disk.open,
            diskDelay: DiskDelay { [clock] in clock.now }, forward: { _, _ in })
    }

    private func seconds(_ writer: ShowLogWriter) -> Double? {
        if case .diskSlow(_, let seconds) = writer.flushFault { seconds } else { nil }
    }

    @Test func aSlowFlushIsAFaultWhileItGoesOnAndUntilOneIsQuick() async throws {
        let writer = writer()
        let heard = Mutex<[Double?]>([])
        disk.whileFlushing.withLock { action in
            action = { [clock] in
                for step in [0.9, 0.2, 1.0, 1.1] {
                    clock.pass(.seconds(step))
                    let now = self.seconds(writer)
                    heard.withLock { $0.append(now) }
                }
            }
        }
        _ = writer.appendLines([(.note, Array("1".utf8))], at: 0)
        #expect(await writer.waitUntilOnDisk() == nil)
        // The fault begins after a second, and is news again at two; then the whole wait is known.
        #expect(heard.withLock { $0 } == [nil, 1, 2, 2])
        #expect(abs((seconds(writer) ?? 0) - 3.2) < 1e-6)
        let sentence = try #require(writer.flushFault?.sentence)
        #expect(sentence.contains("needed 3.2 s to store a command"))
        disk.whileFlushing.withLock { $0 = {} }
        #expect(await writer.waitUntilOnDisk() == nil)
        #expect(writer.flushFault == nil)
    }

    @Test func oneFlushServesAllWhoWait() async {
        let writer = writer()
        let gate = DispatchSemaphore(value: 0)
        let begun = Mutex(0)
        disk.whileFlushing.withLock { action in
            action = {
                begun.withLock { $0 += 1 }
                gate.wait()
            }
        }
        _ = writer.appendLines([(.note, Array("1".utf8))], at: 0)
        let first = Task { await writer.waitUntilOnDisk() }
        #expect(await eventually { begun.withLock { $0 } == 1 })
        let others = (0..<20).map { _ in Task { await writer.waitUntilOnDisk() } }
        #expect(await eventually { writer.waitingCallerCount == 20 })
        for _ in 0..<2 { gate.signal() }
        for task in [first] + others { #expect(await task.value == nil) }
        #expect(disk.state.withLock { $0.flushes } == 2)
    }

    @Test func aFlushThatFailsIsAFaultUntilOneSucceeds() async {
        let writer = writer()
        _ = writer.appendLines([(.note, Array("1".utf8))], at: 0)
        disk.state.withLock { $0.flushErrno = EIO }
        #expect(await writer.waitUntilOnDisk() != nil)
        guard case .notWritten = writer.flushFault else {
            Issue.record("no fault: \(String(describing: writer.flushFault))")
            return
        }
        disk.state.withLock { $0.flushErrno = nil }
        #expect(await writer.waitUntilOnDisk() == nil)
        #expect(writer.flushFault == nil)
    }
}
