import Foundation
import Rehearsal

/// One message of a stand, decoded, or the reason why it cannot be decoded.
enum ReceivedStandMessage: Sendable {
    case message(StandMessage)
    /// A message that cannot be decoded, with the event's id if the id could be read.
    case malformed(RoomEvent.ID?, sentence: String)

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

    /// Most messages that a stand may send in one request.
    static let mostMessagesPerRequest = 200

    /// Decodes a request body that holds one message or a list of messages.
    static func decodeBody(_ body: [UInt8]) throws(RoomError) -> [ReceivedStandMessage] {
        guard !body.isEmpty else {
            throw .malformedRequest(sentence: "The request is empty; send a message or a list of them.")
        }
        let isList = body.first { $0 > 32 } == UInt8(ascii: "[")
        let arrivals: [ReceivedStandMessage]
        do {
            arrivals =
                isList
                ? try RoomJSON.decode([ReceivedStandMessage].self, from: body)
                : [try RoomJSON.decode(ReceivedStandMessage.self, from: body)]
        } catch {
            throw .malformedRequest(sentence: "The request is not JSON; send a message or a list of them.")
        }
        guard arrivals.count <= mostMessagesPerRequest else {
            throw .malformedRequest(
                sentence:
                    "These are \(arrivals.count) messages; send at most \(mostMessagesPerRequest) at a time.")
        }
        return arrivals
    }
}

extension ReceivedStandMessage: Decodable {
    private enum Field: CodingKey { case id }

    init(from decoder: any Decoder) throws {
        do {
            self = .message(try StandMessage(from: decoder))
        } catch {
            let fields = try? decoder.container(keyedBy: Field.self)
            let id = try? fields?.decodeIfPresent(RoomEvent.ID.self, forKey: .id)
            let sentence =
                (error as? RehearsalFault)?.sentence
                ?? "The message lacks a field, or has a value of the wrong type; see docs/rooms-api.md."
            self = .malformed(id ?? nil, sentence: sentence)
        }
    }
}
