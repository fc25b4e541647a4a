import Foundation
import Rehearsal
import WebServer

extension ScoreAct {
    /// True if the act needs space on the server.
    var addsContent: Bool {
        switch self {
        case .placeRemark, .editRemark, .restoreRemark, .putBookmark: true
        case .eraseRemark, .setLayerHidden, .removeBookmark: false
        }
    }
}

/// One event of a request, decoded, or the reason why it cannot be.
enum ReceivedScoreEvent: Decodable {
    case event(ScoreEvent)
    /// With the event's id if it could be read.
    case malformed(ScoreEvent.ID?, sentence: String)

    var event: ScoreEvent? {
        if case .event(let event) = self { event } else { nil }
    }

    private enum Field: CodingKey { case id }

    init(from decoder: any Decoder) throws {
        do { self = .event(try ScoreEvent(from: decoder)) } catch {
            let fields = try? decoder.container(keyedBy: Field.self)
            let sentence =
                (error as? RehearsalFault)?.sentence
                ?? "The event lacks a field, or has a value of the wrong type; see docs/remarks-api.md."
            self = .malformed(
                (try? fields?.decodeIfPresent(ScoreEvent.ID.self, forKey: .id)) ?? nil, sentence: sentence)
        }
    }

    /// Decodes a request with one event or a list of events.
    static func decodeBody(_ body: [UInt8]) throws(RemarkError) -> [ReceivedScoreEvent] {
        guard JSONBody.nestingDepth(of: body) <= JSONBody.deepestNesting else {
            throw .malformed(
                "The JSON is nested deeper than \(JSONBody.deepestNesting) levels; send a simpler one.")
        }
        let isList = body.first { $0 > 32 } == UInt8(ascii: "[")
        let arrivals: [ReceivedScoreEvent]
        do {
            arrivals =
                isList
                ? try JSONDecoder().decode([ReceivedScoreEvent].self, from: Data(body))
                : [try JSONDecoder().decode(ReceivedScoreEvent.self, from: Data(body))]
        } catch {
            throw .malformed("The request is not JSON; send an event or a list of them.")
        }
        guard arrivals.count <= RemarkRoutes.mostEvents else {
            throw .malformed(
                "These are \(arrivals.count) events; send at most \(RemarkRoutes.mostEvents) at a time.")
        }
        return arrivals
    }
}
