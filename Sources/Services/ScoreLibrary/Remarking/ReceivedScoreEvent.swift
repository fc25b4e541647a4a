import Hosting
import Rehearsal

extension ScoreAct {
    /// True if the act needs space on the server.
    var addsContent: Bool {
        switch self {
        case .placeRemark, .editRemark, .restoreRemark, .putBookmark: true
        case .eraseRemark, .setLayerHidden, .removeBookmark: false
        }
    }
}

/// One event of a request.
typealias ReceivedScoreEvent = ReceivedMessage<ScoreEvent, ScoreEvent.ID>

extension ReceivedScoreEvent {
    var event: ScoreEvent? {
        if case .message(let event) = self { event } else { nil }
    }
}
