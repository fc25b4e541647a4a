import Podium
import ShowLog

/// Whose show it is, and where it is written down.
struct DeskReign: Sendable {
    var podium: Podium
    var scribe: ShowScribe
    /// False while another server reigns.
    var isOurs: Bool
    private var owed: [PodiumEffect] = []
    private var mirror = ShowMirror()

    init(podium: Podium, scribe: ShowScribe, isOurs: Bool) {
        self.podium = podium
        self.scribe = scribe
        self.isOurs = isOurs
    }

    /// Takes over a line of the reigning server's log.
    mutating func copy(_ line: [UInt8]) {
        guard !isOurs else { return }
        _ = scribe.writer.copy(line)
        guard mirror.take(line), let podium = mirror.podium else { return }
        self.podium = podium
    }

    /// From here on another log is copied.
    mutating func beginCopy(_ scribe: ShowScribe) {
        self.scribe = scribe
        mirror = ShowMirror()
    }

    /// Takes an event of one's own between two others, and carries out afterwards what follows.
    mutating func take(_ event: PodiumEvent, at now: ShowTime) {
        owed += scribe.take(event, by: &podium, at: now).effects
    }

    mutating func owedEffects() -> [PodiumEffect] {
        defer { owed = [] }
        return owed
    }
}
