import Foundation
import Podium
import Synchronization

/// Lets the Podium take events and writes both, event and effects, before it gives the effects away.
///
/// The one rule of the log lives here: what ``take(_:by:at:)`` returns was written. A tick that changed nothing
/// is not. A snapshot goes in by itself where one is due. Lane: services.
public final class ShowScribe: Sendable {
    public let writer: ShowLogWriter

    private struct Known {
        var course: ShowCourse?
        var packets: UInt64
        var reason: ShowSnapshot.Reason
    }
    private let known: Mutex<Known>

    /// - Parameters:
    ///   - packets: sent before, where a show is continued.
    ///   - continues: true where the state comes from a recovery or from another server.
    public init(writer: ShowLogWriter, packets: UInt64 = 0, continues: Bool) {
        self.writer = writer
        known = Mutex(Known(packets: packets, reason: continues ? .restart : .start))
        // The log before may end between an event and its effects; a file of its own says that one reign ended.
        if continues { writer.rotate() }
    }

    /// Takes an event and writes what happened.
    /// - Returns: the effects, to be carried out now; and what is wrong with the log, to be shown.
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

    /// Writes an event and its effects, for those who let the Podium take it themselves.
    public func record(_ event: PodiumEvent, _ effects: [PodiumEffect], at now: ShowTime) -> ShowLogFault? {
        var parts = [(kind: LogLine.Kind.event, payload: Self.json(event))]
        if !effects.isEmpty { parts.append((.effects, Self.json(effects))) }
        var isCommand = false
        if case .command = event { isCommand = true }
        return writer.append(parts, at: now.milliseconds, withWall: isCommand)
    }

    /// Writes everything needed to go on; the next file begins where the present one is full.
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

    /// Writes how many packets were sent and who is connected; every ten seconds is enough.
    public func count(_ count: ShowCount, at now: ShowTime) -> ShowLogFault? {
        known.withLock { $0.packets = max($0.packets, count.packets) }
        return writer.append([(.count, Self.json(count))], at: now.milliseconds)
    }

    /// Writes a remark that is no event, for people who read the log.
    public func note(_ text: String, at now: ShowTime) -> ShowLogFault? {
        writer.append([(.note, Self.json(text))], at: now.milliseconds, withWall: true)
    }

    /// Writes that the show is over: no restart continues it.
    public func finish(at now: ShowTime) -> ShowLogFault? {
        let fault = writer.append([(.end, Self.json(true))], at: now.milliseconds, withWall: true)
        return writer.sync() ?? fault
    }

    /// Events and effects always have a JSON form; should one not, its line says so, and the show goes on.
    static func json(_ value: some Encodable) -> [UInt8] {
        (try? LogJSON.bytes(of: value)) ?? Array("null".utf8)
    }
}
