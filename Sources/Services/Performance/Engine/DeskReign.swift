import Podium
import ShowLog

/// The state that the show engine's thread owns: the Podium, its log, and whether this server is the active one.
package struct DeskReign: Sendable {
    package var podium: Podium
    package var scribe: ShowRecorder
    /// True while this server is the active one.
    package var isOurs: Bool {
        didSet { if oldValue, !isOurs { mirror = ShowStateReplica(podium, packets: 0, at: .zero) } }
    }
    private var owed: [PodiumEffect] = []
    private var mirror: ShowStateReplica

    package init(podium: Podium, scribe: ShowRecorder, isOurs: Bool) {
        self.podium = podium
        self.scribe = scribe
        self.isOurs = isOurs
        mirror = ShowStateReplica(podium, packets: 0, at: .zero)
    }

    /// Applies the next line of the active server's log. It continues from the present state, unless a copy from the
    /// first line was begun.
    package mutating func copy(_ line: [UInt8]) {
        guard !isOurs else { return }
        _ = scribe.writer.copy(line)
        guard mirror.take(line), let podium = mirror.podium else { return }
        self.podium = podium
    }

    /// Begins to copy another log, from its first line.
    mutating func beginCopy(_ scribe: ShowRecorder) {
        self.scribe = scribe
        mirror = ShowStateReplica()
    }

    /// Applies an event of this server itself, such as a takeover. Its effects are carried out later; see
    /// `owedEffects`.
    package mutating func take(_ event: PodiumEvent, at now: ShowTime) {
        owed += scribe.take(event, by: &podium, at: now).effects
    }

    mutating func owedEffects() -> [PodiumEffect] {
        defer { owed = [] }
        return owed
    }
}
