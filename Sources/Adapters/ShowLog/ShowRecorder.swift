import Foundation
import Podium
import Synchronization

/// Passes events to the Podium and writes both event and effects to the log before it returns the effects.
///
/// The main rule of the log is kept here: everything that ``take(_:by:at:)`` returns was written first. A tick that
/// changes nothing is not written. Snapshots are written automatically when due. Lane: services.
public final class ShowRecorder: Sendable {
    public let writer: ShowLogWriter

    private struct Known {
        var course: ShowProgramme?
        var packets: UInt64
        var reason: ShowSnapshot.Reason
    }
    private let known: Mutex<Known>

    /// - Parameters:
    ///   - packets: number of packets sent before, if a show is continued.
    ///   - continues: true if the state comes from a recovery or from another server.
    public init(writer: ShowLogWriter, packets: UInt64 = 0, continues: Bool) {
        self.writer = writer
        known = Mutex(Known(packets: packets, reason: continues ? .restart : .start))
        // The previous log may end between an event and its effects; a new file shows that another server process
        // writes from here.
        if continues { writer.rotate() }
    }

    /// Passes an event to the Podium and logs the result.
    /// - Returns: the effects, to be carried out now; and a problem with the log, to be shown.
    /// - Complexity: that of the Podium, some 30 µs for the JSON, one `write`; each minute a snapshot.
    public func take(
        _ event: PodiumEvent, by podium: inout Podium, at now: ShowTime
    ) -> (effects: [PodiumEffect], fault: ShowLogFault?) {
        var fault = writer.isSnapshotDue(at: now.milliseconds) ? snapshot(of: podium, at: now) : nil
        let before = podium.state
        let effects = podium.take(event, at: now)
        if event == .tick, effects.isEmpty, podium.state == before { return ([], fault) }
        fault = record(event, effects, at: now)
        return (effects, fault)
    }

    /// Writes an event and its effects. For callers whose Podium has already taken the event.
    public func record(_ event: PodiumEvent, _ effects: [PodiumEffect], at now: ShowTime) -> ShowLogFault? {
        var parts = [(kind: LogLine.Kind.event, payload: Self.json(event))]
        if !effects.isEmpty { parts.append((.effects, Self.json(effects))) }
        var isCommand = false
        if case .command = event { isCommand = true }
        return writer.append(parts, at: now.milliseconds, withWall: isCommand)
    }

    /// Writes the complete state; begins the next file if the present one is full.
    public func snapshot(of podium: Podium, at now: ShowTime) -> ShowLogFault? {
        let known = known.withLock { $0 }
        let fault = writer.appendSnapshot(at: now.milliseconds) { opensFile, followsGap in
            let isNew = opensFile || followsGap || known.course != podium.course
            return Self.json(
                ShowSnapshot(
                    course: isNew ? podium.course : nil, packets: known.packets,
                    reason: followsGap ? .gap : known.reason, settings: podium.settings, state: podium.state))
        }
        self.known.withLock {
            $0.course = podium.course
            $0.reason = .regular
        }
        return fault
    }

    /// Writes the number of packets sent and clients connected; to be called every ten seconds.
    public func count(_ count: TrafficCount, at now: ShowTime) -> ShowLogFault? {
        known.withLock { $0.packets = max($0.packets, count.packets) }
        return writer.append([(.count, Self.json(count))], at: now.milliseconds)
    }

    /// Writes a remark for people who read the log.
    public func note(_ text: String, at now: ShowTime) -> ShowLogFault? {
        writer.append([(.note, Self.json(text))], at: now.milliseconds, withWall: true)
    }

    /// Writes that the show is over, so that no restart continues it.
    public func finish(at now: ShowTime) -> ShowLogFault? {
        let fault = writer.append([(.end, Self.json(true))], at: now.milliseconds, withWall: true)
        return writer.sync() ?? fault
    }

    /// Events and effects can always be encoded; if one cannot, its line says null, and the show goes on.
    static func json(_ value: some Encodable) -> [UInt8] {
        (try? LogJSON.bytes(of: value)) ?? Array("null".utf8)
    }
}
