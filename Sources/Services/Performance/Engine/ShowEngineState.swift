import Podium
import ShowLog

/// The state that the show engine's thread owns: the Podium, its log, and whether this server is the active one.
package struct ShowEngineState: Sendable {
    package var podium: Podium
    package var recorder: ShowRecorder
    /// True while this server is the active one.
    package var isActiveServer: Bool {
        didSet {
            if oldValue, !isActiveServer {
                copiedShowReplica = ShowStateReplica(podium, packets: 0, at: .zero)
            }
        }
    }
    private var pendingEffects: [PodiumEffect] = []
    package private(set) var copiedShowReplica: ShowStateReplica

    /// The path of the log's folder, and where the show began.
    var showLog: (folder: String, origin: ShowOrigin) { (recorder.writer.showFolder, recorder.origin) }

    package init(podium: Podium, recorder: ShowRecorder, isActiveServer: Bool) {
        self.podium = podium
        self.recorder = recorder
        self.isActiveServer = isActiveServer
        copiedShowReplica = ShowStateReplica(podium, packets: 0, at: .zero)
    }

    /// Applies the next line of the active server's log. It continues from the present state, or from the log's first
    /// line after `beginLogCopy(_:)`.
    package mutating func applyCopiedLogLine(_ line: [UInt8]) {
        guard !isActiveServer else { return }
        _ = recorder.writer.appendCopiedLine(line)
        guard copiedShowReplica.applyLine(line), let podium = copiedShowReplica.podium else { return }
        self.podium = podium
        if let origin = copiedShowReplica.origin, origin != recorder.origin { recorder.origin = origin }
    }

    /// Begins to copy another log, from its first line.
    mutating func beginLogCopy(_ recorder: ShowRecorder) {
        self.recorder = recorder
        copiedShowReplica = ShowStateReplica()
    }

    /// Applies an event that this server itself causes, such as a takeover. The caller gets the event's effects later
    /// from `takePendingEffects`.
    package mutating func applyEvent(_ event: PodiumEvent, at now: ShowTime) {
        pendingEffects += recorder.applyAndRecord(event, by: &podium, at: now).effects
    }

    mutating func takePendingEffects() -> [PodiumEffect] {
        defer { pendingEffects = [] }
        return pendingEffects
    }
}
