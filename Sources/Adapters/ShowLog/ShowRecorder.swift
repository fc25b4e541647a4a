import Foundation
import Podium
import Synchronization

/// Passes events to the Podium (the state of the show) and writes each event and its effects to the log.
///
/// All effects that ``applyAndRecord(_:by:at:)`` returns are already in the log, so no effect is sent unlogged.
/// Ticks that change nothing are not written. Snapshots are written automatically when they are due. The audio threads
/// must not call it.
public final class ShowRecorder: Sendable {
    public let writer: ShowLogWriter

    private struct SnapshotContext {
        var course: ShowProgramme?
        var packets: UInt64
        var reason: ShowSnapshot.Reason
    }
    private let snapshotContext: Mutex<SnapshotContext>

    /// - Parameters:
    ///   - packets: the number of packets that were sent before, if a show is continued.
    ///   - continues: true if the state was recovered from a log or taken over from another server.
    public init(writer: ShowLogWriter, packets: UInt64 = 0, continues: Bool) {
        self.writer = writer
        snapshotContext = Mutex(SnapshotContext(packets: packets, reason: continues ? .restart : .start))
        // The previous log may end between an event and its effects. A new file shows that another process writes from
        // here on.
        if continues { writer.rotate() }
    }

    /// Passes an event to the Podium and writes the event and its effects to the log.
    /// - Returns: the effects, which the caller must carry out now; and the fault if the log could not be written.
    /// - Complexity: that of the Podium, some 30 µs for the JSON, and one `write`; a snapshot each minute.
    public func applyAndRecord(
        _ event: PodiumEvent, by podium: inout Podium, at now: ShowTime
    ) -> (effects: [PodiumEffect], fault: ShowLogFault?) {
        var fault = writer.isSnapshotDue(at: now.milliseconds) ? recordSnapshot(of: podium, at: now) : nil
        let before = podium.state
        let effects = podium.process(event, at: now)
        if event == .tick, effects.isEmpty, podium.state == before { return ([], fault) }
        fault = record(event, effects, at: now)
        return (effects, fault)
    }

    /// Writes an event and its effects, for callers that have already passed the event to their Podium.
    public func record(_ event: PodiumEvent, _ effects: [PodiumEffect], at now: ShowTime) -> ShowLogFault? {
        var parts = [(kind: LogLine.Kind.event, payload: Self.json(event))]
        if !effects.isEmpty { parts.append((.effects, Self.json(effects))) }
        var isCommand = false
        if case .command = event { isCommand = true }
        return writer.append(parts, at: now.milliseconds, withWall: isCommand)
    }

    /// Writes the complete state as a snapshot. If the current log file is full, the snapshot begins the next one.
    public func recordSnapshot(of podium: Podium, at now: ShowTime) -> ShowLogFault? {
        let known = snapshotContext.withLock { $0 }
        let fault = writer.appendSnapshot(at: now.milliseconds) { opensFile, followsGap in
            let isNew = opensFile || followsGap || known.course != podium.course
            return Self.json(
                ShowSnapshot(
                    course: isNew ? podium.course : nil, packets: known.packets,
                    reason: followsGap ? .gap : known.reason, settings: podium.settings, state: podium.state))
        }
        self.snapshotContext.withLock {
            $0.course = podium.course
            $0.reason = .regular
        }
        return fault
    }

    /// Writes the number of packets sent and of clients connected. Call it every ten seconds.
    public func recordTraffic(_ count: TrafficCount, at now: ShowTime) -> ShowLogFault? {
        snapshotContext.withLock { $0.packets = max($0.packets, count.packets) }
        return writer.append([(.traffic, Self.json(count))], at: now.milliseconds)
    }

    /// Writes a note for people who read the log.
    public func note(_ text: String, at now: ShowTime) -> ShowLogFault? {
        writer.append([(.note, Self.json(text))], at: now.milliseconds, withWall: true)
    }

    /// Writes that the show has ended, so that a restarted server does not continue it, and flushes the log to the
    /// disk.
    public func finish(at now: ShowTime) -> ShowLogFault? {
        let fault = writer.append([(.end, Self.json(true))], at: now.milliseconds, withWall: true)
        return writer.sync() ?? fault
    }

    /// Encodes a value as JSON. Events and effects can always be encoded; should it fail, the result is `null`.
    static func json(_ value: some Encodable) -> [UInt8] {
        (try? LogJSON.bytes(of: value)) ?? Array("null".utf8)
    }
}
