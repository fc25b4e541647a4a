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
        var lastLoggedProgramme: ShowProgramme?
        var sentPacketCount: UInt64
        var nextSnapshotReason: ShowSnapshot.Reason
        var origin: ShowOrigin
    }
    private let snapshotContext: Mutex<SnapshotContext>

    /// - Parameters:
    ///   - packets: the number of packets that were sent before, if a show is continued.
    ///   - origin: where the show began; nil if it begins here.
    ///   - continues: true if the state was recovered from a log or taken over from another server.
    public init(writer: ShowLogWriter, packets: UInt64 = 0, origin: ShowOrigin? = nil, continues: Bool) {
        self.writer = writer
        snapshotContext = Mutex(
            SnapshotContext(
                sentPacketCount: packets, nextSnapshotReason: continues ? .restart : .start,
                origin: origin ?? writer.origin))
        // The previous log may end between an event and its effects. A new file shows that another process writes from
        // here on.
        if continues { writer.requestNewFile() }
    }

    /// Where the show began. A copy of another server's log learns it from that log.
    public var origin: ShowOrigin {
        get { snapshotContext.withLock { $0.origin } }
        set { snapshotContext.withLock { $0.origin = newValue } }
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
        fault = recordEvent(event, effects, at: now)
        return (effects, fault)
    }

    /// Writes an event and its effects, for callers that have already passed the event to their Podium.
    public func recordEvent(_ event: PodiumEvent, _ effects: [PodiumEffect], at now: ShowTime)
        -> ShowLogFault?
    {
        var parts = [(kind: LogLine.Kind.event, payload: Self.encodeJSON(event))]
        if !effects.isEmpty { parts.append((.effects, Self.encodeJSON(effects))) }
        var isCommand = false
        if case .command = event { isCommand = true }
        return writer.appendLines(parts, at: now.milliseconds, withWall: isCommand)
    }

    /// Writes the complete state as a snapshot. If the current log file is full, the snapshot begins the next one.
    public func recordSnapshot(of podium: Podium, at now: ShowTime) -> ShowLogFault? {
        let known = snapshotContext.withLock { $0 }
        let fault = writer.appendSnapshot(at: now.milliseconds) { opensFile, followsGap in
            let isNew = opensFile || followsGap || known.lastLoggedProgramme != podium.course
            return Self.encodeJSON(
                ShowSnapshot(
                    course: isNew ? podium.course : nil, origin: known.origin, packets: known.sentPacketCount,
                    reason: followsGap ? .gap : known.nextSnapshotReason, settings: podium.settings,
                    state: podium.state))
        }
        self.snapshotContext.withLock {
            $0.lastLoggedProgramme = podium.course
            $0.nextSnapshotReason = .regular
        }
        return fault
    }

    /// Writes the number of packets sent and of clients connected. Call it every ten seconds.
    public func recordTraffic(_ count: PacketAndClientCounts, at now: ShowTime) -> ShowLogFault? {
        snapshotContext.withLock { $0.sentPacketCount = max($0.sentPacketCount, count.packets) }
        return writer.appendLines([(.traffic, Self.encodeJSON(count))], at: now.milliseconds)
    }

    /// Writes a note for people who read the log.
    public func recordNote(_ text: String, at now: ShowTime) -> ShowLogFault? {
        writer.appendLines([(.note, Self.encodeJSON(text))], at: now.milliseconds, withWall: true)
    }

    /// Writes that the show has ended, so that a restarted server does not continue it, and flushes the log to the
    /// disk.
    public func recordShowEnd(at now: ShowTime) -> ShowLogFault? {
        let fault = writer.appendLines([(.end, Self.encodeJSON(true))], at: now.milliseconds, withWall: true)
        return writer.syncToDisk() ?? fault
    }

    /// Encodes a value as JSON. Events and effects can always be encoded; should it fail, the result is `null`.
    static func encodeJSON(_ value: some Encodable) -> [UInt8] {
        (try? LogJSON.jsonBytes(of: value)) ?? Array("null".utf8)
    }
}
