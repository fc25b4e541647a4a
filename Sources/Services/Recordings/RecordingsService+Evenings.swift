import Hosting
import WebServer

/// The recordings as other services use them.
extension RecordingsService: RecordedEvenings {
    package var listeningRoles: Set<WebRole> { WebRole.operators }

    package func listEvenings() -> [RecordedEvening] {
        store.list().map(RecordedEvening.init).filter { !$0.parts.isEmpty }
    }

    package func evening(named name: String) -> RecordedEvening? {
        (try? store.recording(named: name)).map(RecordedEvening.init)
    }

    package var presentRecording: PresentRecording {
        let status = recorder?.status
        return PresentRecording(
            name: status?.name, isRecording: status?.isRecording ?? false,
            sentence: status?.sentence ?? offSentence, partNumber: status?.partNumber,
            partSeconds: status?.partSeconds ?? 0)
    }
}

extension RecordedEvening {
    init(_ recording: Recording) {
        self.init(
            name: recording.name, title: recording.title, pieces: recording.pieces,
            isRunning: recording.isRunning,
            parts: recording.parts.filter { !$0.isDeleted && $0.seconds > 0 }.map {
                Part(
                    number: $0.number, path: $0.path, startedAt: $0.startedAt, showTime: $0.showTime,
                    seconds: $0.seconds)
            })
    }
}
