import Podium
import ShowLog

/// Whose show it is, and where it is written down.
package struct DeskReign: Sendable {
    package var podium: Podium
    package var scribe: ShowRecorder
    /// False while another server reigns.
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

    /// Takes over the next line of the reigning server's log. Continues from the state here, unless a copy was begun.
    package mutating func copy(_ line: [UInt8]) {
        guard !isOurs else { return }
        _ = scribe.writer.copy(line)
        guard mirror.take(line), let podium = mirror.podium else { return }
        self.podium = podium
    }

    /// From here on another log is copied, from its first line.
    mutating func beginCopy(_ scribe: ShowRecorder) {
        self.scribe = scribe
        mirror = ShowStateReplica()
    }

    /// Takes an event of one's own between two others, and carries out afterwards what follows.
    package mutating func take(_ event: PodiumEvent, at now: ShowTime) {
        owed += scribe.take(event, by: &podium, at: now).effects
    }

    mutating func owedEffects() -> [PodiumEffect] {
        defer { owed = [] }
        return owed
    }
}
