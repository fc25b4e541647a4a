import Concert
import Foundation
import WebServer

/// The contents of `draft.json`: a piece that is being prepared, with its recordings and its score.
package struct DraftRecord: Codable, Equatable, Sendable {
    static let currentVersion = 1
    /// The most recordings of a piece: as many as a model can have references.
    static let mostRecordings = 16

    var version = currentVersion
    package var id: String
    /// Counts the changes.
    package var revision = 0
    package var draft: PieceDraft
    /// The account whose tab this is, which alone may practise it; nil for pieces of the house.
    package var tabOwner: String?
    /// The id of that tab on the page Practice; nil for pieces of the house and for tabs of earlier versions.
    package var tab: String?
    /// True if the piece was made for a file that is then uploaded; nil for other pieces and those of earlier versions.
    var isForFile: Bool?
    package var recordings: [DraftRecording] = []
    /// The id of the recording whose time is the piece's timeline; nil as long as there is none.
    package var main: String?
    package var score: DraftScore?
    package var proposals: [DraftProposal] = []
    package var prepared: PreparedState?
    /// The forecast for the model that was made last; nil before.
    package var forecast: PieceForecast?
    /// The tasks that were accepted and have not ended.
    package var pending: [PendingTask] = []
    /// The answers to the newest lists of edits that had an id. A page sends a list again if the answer was lost.
    var answers: [EditAnswer] = []
    /// Milliseconds since 1970.
    package var changedAt: Int64 = 0

    package init(id: String, draft: PieceDraft) {
        self.id = id
        self.draft = draft
    }

    package func recording(_ id: String) throws(Refusal) -> DraftRecording {
        guard let found = recordings.first(where: { $0.id == id }) else { throw .noSuchRecording }
        return found
    }

    /// True if a model made of this piece would be the same as one made of another state of it.
    func makesSameModel(as other: DraftRecord) -> Bool {
        draft.name == other.draft.name && draft.end == other.draft.end && main == other.main
            && score == other.score
            && recordings.map(\.id) == other.recordings.map(\.id)
            && recordings.map(\.alignment) == other.recordings.map(\.alignment)
            && draft.bars.elementsEqual(other.draft.bars) {
                $0.printed == $1.printed && $0.seconds == $1.seconds
            }
    }

    /// Sentences about what is not good about a recording.
    package func warnings(about recording: DraftRecording) -> [String] {
        let earlier = recordings.prefix { $0.id != recording.id }
        let isTwice = earlier.contains { $0.name == recording.name && $0.seconds == recording.seconds }
        guard isTwice else { return recording.warnings }
        return recording.warnings + [
            "It has the name and the length of another recording of this piece. Remove it if it is the same."
        ]
    }

    package var mainRecording: DraftRecording? { recordings.first { $0.id == main } }
}

/// The answer to a list of edits.
struct EditAnswer: Codable, Equatable, Sendable {
    static let mostKept = 100
    /// Answers with longer lists of inverse edits keep their revision only.
    static let mostKeptEdits = 500

    /// The id that the page gave the list.
    var id: String
    var revision: Int
    var inverse: [DraftEdit]
    var skipped: [String]
}

/// A recording of a piece that is being prepared.
package struct DraftRecording: Codable, Equatable, Sendable {
    package var id: String
    /// The name for people: that of the file that was uploaded, or the day of an evening.
    package var name: String
    /// The name of the sound file in the recording's folder.
    package var file: String
    package var seconds: Double
    package var sampleRate: Int
    package var channels: Int
    /// Sentences about what is not good about the sound.
    package var warnings: [String] = []
    /// True if the listening copy and the pictures of the sound have been made.
    package var isReady = false
    /// True if the sound was made from the score.
    package var isRendered = false
    /// The times of the piece's bars in this recording, if it is a further reference that has been aligned.
    package var alignment: ReferenceAlignment?
}

/// The bars of a piece as they were found in a further recording.
package struct ReferenceAlignment: Codable, Equatable, Sendable {
    package struct Bar: Codable, Equatable, Sendable {
        /// The id of the bar in the main recording.
        package var bar: String
        package var seconds: Double
        /// The reasons why a person should listen to it; empty if there are none.
        package var reasons: [String]
    }

    package var bars: [Bar]
    package var end: Double?
}

/// The score of a piece that is being prepared.
package struct DraftScore: Codable, Equatable, Sendable {
    package var name: String
    /// The path of the file inside the folder of scores.
    package var file: String
    /// The number of bars that are played, with all repeats.
    package var bars: Int
    /// Sentences about what the alignment with the score found.
    package var sentences: [String] = []
}

/// A finding about the form of the piece, which a person accepts or changes.
package struct DraftProposal: Codable, Equatable, Sendable {
    package var id: String
    package var sentence: String
    /// The time in the main recording where to listen, in seconds.
    package var from: Double?
    package var to: Double?
    /// The route with which to align again, as the option `route`; nil if there is no other.
    package var route: String?
}

/// The model that was made of a piece.
package struct PreparedState: Codable, Equatable, Sendable {
    /// The name of the model's folder and of the recordings' folder.
    package var folder: String
    /// The revision of the piece that was prepared.
    package var revision: Int
    /// Milliseconds since 1970.
    package var at: Int64
}
