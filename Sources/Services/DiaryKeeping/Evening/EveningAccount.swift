import Concert
import Foundation
import Podium

/// One run through the programme, as the show log tells it: the pieces played with their times and bars, intermissions,
/// and people's actions. A concert that is given twice in one show has two accounts.
///
/// It is computed from the show log alone, so that a replay of the log gives the same account, byte for byte. Times are
/// milliseconds since the show began.
package struct EveningAccount: Codable, Equatable, Sendable {
    /// One run through a piece or movement, from its first bar heard to its last.
    package struct Playing: Codable, Equatable, Sendable {
        /// The folder of the piece's model, which identifies the music on this server.
        package var folder: String
        package var name: String
        package var composer: String
        package var work: String
        /// The movement; empty if the work is played as one piece.
        package var movement: String
        package var from: Int64
        package var to: Int64
        /// True if it was played after the last piece of the programme.
        package var isEncore: Bool
        /// The number of bars of the whole piece, with repeats written out.
        package var barCount: Int
        package var bars: [Bar] = []
        /// The mean of the follower's confidence, 0…1; nil if the follower reported nothing.
        package var confidence: Double?
        /// The seconds for which the follower did not know the place.
        package var lostSeconds: Double = 0
    }

    /// One bar as it was played. Encoded as an array: printed number, played index, time, seconds or null, seconds in
    /// the reference.
    package struct Bar: Codable, Equatable, Sendable {
        package var printed: Int
        package var played: Int
        package var at: Int64
        /// The length of the bar in this evening; nil if it was entered in its middle, if another bar than the next one
        /// followed, or if somebody moved the position in it.
        package var seconds: Double?
        package var referenceSeconds: Double

        package init(printed: Int, played: Int, at: Int64, seconds: Double?, referenceSeconds: Double) {
            (self.printed, self.played, self.at) = (printed, played, at)
            (self.seconds, self.referenceSeconds) = (seconds, referenceSeconds)
        }

        package init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            printed = try values.decode(Int.self)
            played = try values.decode(Int.self)
            at = try values.decode(Int64.self)
            seconds = try values.decodeNil() ? nil : values.decode(Double.self)
            referenceSeconds = try values.decode(Double.self)
        }

        package func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(printed)
            try values.encode(played)
            try values.encode(at)
            if let seconds { try values.encode(seconds) } else { try values.encodeNil() }
            try values.encode(referenceSeconds)
        }
    }

    package struct Span: Codable, Equatable, Sendable {
        package var from: Int64
        /// Nil if the show's log ends before it was over.
        package var to: Int64?
    }

    /// A person's command, and its refusal if there was one.
    package struct Intervention: Codable, Equatable, Sendable {
        package var at: Int64
        package var who: String
        package var what: String
        package var refused: String?
    }

    package struct Server: Codable, Equatable, Hashable, Sendable {
        package var name: String
        package var role: String
    }

    /// The most runs through the programme in one show; what follows is left out.
    package static let mostRuns = 20

    /// The name of the show's folder.
    package var show = ""
    /// 1 for the first run through the programme, 2 if the concert was then given a second time, and so on.
    package var run = 1
    package var title = ""
    /// The kind of evening for people, such as `Rehearsal`; nil for a concert.
    package var type: String?
    package var venue: String?
    /// Those who performed; nil if nobody said.
    package var people: [Performer]?
    /// The time at which the show began, ISO 8601.
    package var started = ""
    package var playings: [Playing] = []
    package var intermissions: [Span] = []
    package var interventions: [Intervention] = []
    /// The people who gave commands, in the order of their first one.
    package var servers: [Server] = []
    /// True if the programme was played to its end.
    package var isOver = false
    /// The number of log lines that are lost or damaged, so that their content is missing here.
    package var missingLines = 0

    package init() {}

    /// The folders of all music that was played.
    var folders: Set<String> { Set(playings.map(\.folder)) }

    /// The time of the first bar; nil if nothing was played.
    package var firstMusic: Int64? { playings.first?.from }
    package var lastMusic: Int64? { playings.map(\.to).max() }
}

extension EveningAccount.Playing {
    func isOf(_ piece: ShowPiece) -> Bool { folder == piece.folder && name == piece.name.text }

    /// True if less than half of the piece was played.
    var isFalseStart: Bool { bars.count * 2 < barCount }

    /// True if the last or last but one bar was heard.
    var isPlayedToEnd: Bool { bars.contains { $0.played >= barCount - 2 } }

    /// Divides a piece's name, `{Composer}, {Work}: {Movement}`, into its parts.
    static func parts(of name: String) -> (composer: String, work: String, movement: String) {
        guard let comma = name.range(of: ", ") else { return ("", name, "") }
        let composer = String(name[..<comma.lowerBound])
        let rest = name[comma.upperBound...]
        guard let colon = rest.range(of: ": ") else { return (composer, String(rest), "") }
        let (work, movement) = (String(rest[..<colon.lowerBound]), String(rest[colon.upperBound...]))
        return (composer, work, movement == work ? "" : movement)
    }
}
