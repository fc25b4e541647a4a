import Basics
import Podium

/// Changes tonight's programme while the server runs: the order of its pieces, intermissions, an encore.
package protocol ProgrammeEditing: Sendable {
    /// The pieces that can be added now, by name; each has a prepared model.
    func listPreparedPieces() async -> [PreparedPiece]
    /// Changes the programme. New pieces are loaded first, while the present piece goes on.
    /// - Parameter sender: who makes the change, for the show log.
    /// - Returns: the outcome, or a sentence if a piece cannot be loaded.
    func changeProgramme(to wanted: WantedProgramme, by sender: CommandSender) async -> ProgrammeChangeOutcome
    /// The newest earlier evenings that had pieces, newest first.
    /// - Complexity: reads the ends of twenty show logs at most.
    func listEarlierEvenings() async -> [EarlierEvening]
    /// The report on an evening that is over, as JSON; nil if no show has this name, or its log cannot be read.
    func readReport(ofShow name: String) async -> [UInt8]?
    /// The evenings that are planned, by date.
    func listPlannedEvenings() async -> [PlannedEvening]
    /// Plans an evening, changes the plan of one, or drops it.
    /// - Parameters:
    ///   - wanted: nil to drop it. Without pieces it has those of the present evening.
    ///   - id: chosen by whoever plans it.
    /// - Throws: a sentence, if it cannot be planned so or written.
    func planEvening(_ wanted: WantedEvening?, as id: String) async throws(ExplainedError)
    /// Ends the evening and begins the wanted one in a new show. An evening in which nothing was played yet is not
    /// ended: it becomes the wanted one, and is planned again if it was planned.
    /// - Parameter wanted: nil to end the evening in any case; the next one that is planned begins, or one that nobody
    ///   has named yet.
    func beginEvening(_ wanted: WantedEvening?, by sender: CommandSender) async -> ProgrammeChangeOutcome
}

/// An evening as a person begins or plans it.
package struct WantedEvening: Sendable, Equatable, Codable {
    package var fields: Evening.Fields
    /// The id of a planned evening, which is begun as it was planned.
    package var plan: String?
    /// The folders of the pieces, in order; nil for those of the present evening.
    package var pieces: [String]?
    /// The pieces after which an intermission is planned, counted from 0; only with `pieces`.
    package var intermissions: [Int]?

    private enum CodingKeys: CodingKey { case pieces, intermissions, plan }

    package init(
        _ fields: Evening.Fields, pieces: [String]? = nil, intermissions: [Int]? = nil, plan: String? = nil
    ) {
        (self.fields, self.pieces, self.intermissions, self.plan) = (fields, pieces, intermissions, plan)
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try Evening.Fields(from: decoder),
            pieces: try values.decodeIfPresent([String].self, forKey: .pieces),
            intermissions: try values.decodeIfPresent([Int].self, forKey: .intermissions),
            plan: try values.decodeIfPresent(String.self, forKey: .plan))
    }

    package func encode(to encoder: any Encoder) throws {
        try fields.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(pieces, forKey: .pieces)
        try values.encodeIfPresent(intermissions, forKey: .intermissions)
    }
}

/// An evening of another day, until it is begun.
package struct PlannedEvening: Sendable, Equatable, Codable {
    package var id: String
    package var wanted: WantedEvening

    private enum CodingKeys: CodingKey { case id }

    package init(_ id: String, _ wanted: WantedEvening) { (self.id, self.wanted) = (id, wanted) }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try values.decode(String.self, forKey: .id), try WantedEvening(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try wanted.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
    }
}

/// An evening that is over, whose programme another one can have.
package struct EarlierEvening: Sendable, Equatable, Encodable {
    /// The name of its show's folder.
    package var show: String
    package var name: String
    /// The time at which it began, ISO 8601.
    package var started: String
    /// Those who performed, each on a line such as `Anna Berg, violin`.
    package var people: String
    /// The folders of its pieces that are prepared, in order.
    package var pieces: [String]
    /// The pieces of `pieces` after which an intermission was planned.
    package var intermissions: [Int]
    /// The names of its pieces that are no longer prepared.
    package var missing: [String]

    package init(
        show: String, name: String, started: String, people: String, pieces: [String],
        intermissions: [Int], missing: [String]
    ) {
        (self.show, self.name, self.started, self.people) = (show, name, started, people)
        (self.pieces, self.intermissions, self.missing) = (pieces, intermissions, missing)
    }
}

/// A piece that can be added to the programme.
package struct PreparedPiece: Sendable, Equatable, Encodable {
    /// The folder of its model, by which the piece is known.
    package var folder: String
    package var name: String
    package var durationSeconds: Double
    package var measures: Int
    /// The number of its reference recordings.
    package var recordings: Int

    package init(folder: String, name: String, durationSeconds: Double, measures: Int, recordings: Int) {
        self.folder = folder
        self.name = name
        self.durationSeconds = durationSeconds
        self.measures = measures
        self.recordings = recordings
    }
}

/// A programme as a person puts it together.
package struct WantedProgramme: Sendable, Equatable, Decodable {
    /// The changed fields of the evening.
    package var evening: Evening.Fields
    /// Takes the place of the present evening, whatever the fields say; nil where a person changes it.
    package var whole: Evening?
    /// The folders of the pieces, in order. None for an empty programme.
    package var pieces: [String]
    /// The pieces after which an intermission is planned, counted from 0.
    package var intermissions: [Int]
    /// The ``ShowProgramme/orderRevision`` of the programme that the person saw.
    package var revision: String

    private enum CodingKeys: CodingKey { case pieces, intermissions, revision }

    package init(
        _ evening: Evening.Fields = Evening.Fields(), pieces: [String], intermissions: [Int] = [],
        revision: String
    ) {
        self.evening = evening
        self.pieces = pieces
        self.intermissions = intermissions
        self.revision = revision
    }

    /// A programme of another evening than the present one.
    package init(_ whole: Evening, pieces: [String], intermissions: [Int], revision: String) {
        self.init(pieces: pieces, intermissions: intermissions, revision: revision)
        self.whole = whole
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try Evening.Fields(from: decoder), pieces: try values.decode([String].self, forKey: .pieces),
            intermissions: try values.decode([Int].self, forKey: .intermissions),
            revision: try values.decode(String.self, forKey: .revision))
    }
}

/// The outcome of a change of the programme.
package enum ProgrammeChangeOutcome: Sendable {
    /// The show engine's answer.
    case answered(CommandOutcome)
    /// Nothing was changed, because of the reason in the sentence.
    case notPossible(String)
}
