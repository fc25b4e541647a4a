import Hosting
import Rehearsal

/// One message of a stand.
typealias ReceivedStandMessage = ReceivedMessage<StandMessage, RoomEvent.ID>

extension ReceivedStandMessage {
    var isEvent: Bool {
        if case .message(.event) = self { true } else { false }
    }

    var isPinpoint: Bool {
        if case .message(.event(let event)) = self, case .pinpoint = event.act { true } else { false }
    }

    /// True for an event that a power cut may not take back once its sender has the receipt: everything that members
    /// wrote or decided. What only moves the stands is not waited for, so that no turn waits for the disk.
    var mustSurvivePowerCut: Bool {
        guard case .message(.event(let event)) = self else { return false }
        return switch event.act {
        case .turnPagesForAll, .pinpoint, .endPinpoint, .openScore, .enterSession, .leaveSession: false
        default: true
        }
    }

    var takesEvening: Bool {
        if case .message(.event(let event)) = self, case .takeEvening = event.act { true } else { false }
    }

    /// The scores that the messages would add to the programme.
    static func addedScores(_ arrivals: [ReceivedStandMessage]) -> Set<Rehearsal.Score.ID> {
        Set(
            arrivals.compactMap {
                if case .message(.event(let event)) = $0, case .addScore(let addition) = event.act {
                    addition.entry.score
                } else {
                    nil
                }
            })
    }

    /// True if one of the messages publishes the room.
    static func publishesRoom(_ arrivals: [ReceivedStandMessage]) -> Bool {
        arrivals.contains {
            guard case .message(.event(let event)) = $0, case .setRoomPublished(true) = event.act else {
                return false
            }
            return true
        }
    }
}
