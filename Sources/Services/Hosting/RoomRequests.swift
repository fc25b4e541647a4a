import Catalogue
import Foundation
import Rehearsal
import WebServer

/// One message of a request, or the reason why it cannot be read; the others are taken.
package enum ReceivedMessage<Message: Decodable & Sendable, ID: Decodable & Sendable>: Decodable, Sendable {
    case message(Message)
    /// With the message's id if it could be read.
    case malformed(ID?, sentence: String)

    private enum Field: CodingKey { case id }

    package init(from decoder: any Decoder) throws {
        do { self = .message(try Message(from: decoder)) } catch {
            let fields = try? decoder.container(keyedBy: Field.self)
            let id = try? fields?.decodeIfPresent(ID.self, forKey: .id)
            let sentence =
                (error as? RehearsalFault)?.sentence
                ?? "The message lacks a field, or has a value of the wrong type; see docs/rooms-api.md."
            self = .malformed(id ?? nil, sentence: sentence)
        }
    }

    /// The most messages of one request.
    package static var mostOfRequest: Int { 200 }

    /// Reads the body of a request: one message or a list of them.
    package static func decodeBody(_ body: [UInt8]) throws(Refusal) -> [Self] {
        guard JSONBody.nestingDepth(of: body) <= JSONBody.deepestNesting else {
            throw .malformed(
                "The JSON is nested deeper than \(JSONBody.deepestNesting) levels; send a simpler one.")
        }
        let isList = body.first { $0 > 32 } == UInt8(ascii: "[")
        let arrivals: [Self]
        do {
            arrivals =
                isList
                ? try JSONDecoder().decode([Self].self, from: Data(body))
                : [try JSONDecoder().decode(Self.self, from: Data(body))]
        } catch { throw .malformed("The request is not JSON; send a message or a list of them.") }
        guard arrivals.count <= mostOfRequest else {
            throw .malformed("These are \(arrivals.count) messages; send at most \(mostOfRequest) at a time.")
        }
        return arrivals
    }
}

/// Why requests to rooms and about remarks are refused.
extension Refusal {
    /// The answer to an act that the rules of a room or a score refuse.
    package static func refused(_ refusal: RoomRefusal) -> Refusal {
        let status =
            switch refusal.code {
            case .full, .notNow: 409
            case .invalid, .noPage: 422
            case .noRemark, .noLayer, .noMember: 404
            default: 403
            }
        return Refusal(status, refusal.code.rawValue, refusal.sentence)
    }

    package static func malformed(_ sentence: String) -> Refusal { Refusal(400, "bad-json", sentence) }

    /// The request names one user, but another is signed in.
    package static let otherUserSignedIn = Refusal(
        401, "other-user",
        "Somebody else is signed in on this device; nothing was stored. Sign in as yourself and go on.")

    package static func tooFast(milliseconds: Int64) -> Refusal {
        Refusal(
            429, "too-fast",
            "This account sends too much at a time; wait \(milliseconds) ms and send the rest."
        ).retrying(afterMilliseconds: milliseconds)
    }

    package static func storeFailed(_ error: CatalogueError) -> Refusal {
        if case .diskFull = error {
            return Refusal(507, "disk-full", "The server's disk is full; nothing was stored.")
        }
        return Refusal(503, "not-stored", error.sentenceWithoutPath).retrying()
    }

    /// The same refusal with the time after which to try again, in whole seconds.
    package func retrying(afterMilliseconds wait: Int64 = 1_000) -> Refusal {
        Refusal(
            code, sentence, response.withHeader("Retry-After", String(max(1, (wait + 999) / 1_000))))
    }
}
