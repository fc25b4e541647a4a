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
    /// Ends the evening and begins the wanted one in a new show. An evening in which nothing was played yet is not
    /// ended: it becomes the wanted one.
    /// - Parameter wanted: nil to end the evening in any case; one that nobody has named yet begins.
    func beginEvening(_ wanted: WantedEvening?, by sender: CommandSender) async -> ProgrammeChangeOutcome
}

/// An evening as a person begins it.
package struct WantedEvening: Sendable, Equatable, Decodable {
    package var fields: Evening.Fields
    /// The folders of the pieces, in order; nil for those of the present evening.
    package var pieces: [String]?
    /// The pieces after which an intermission is planned, counted from 0; only with `pieces`.
    package var intermissions: [Int]?

    private enum CodingKeys: CodingKey { case pieces, intermissions }

    package init(_ fields: Evening.Fields, pieces: [String]? = nil, intermissions: [Int]? = nil) {
        (self.fields, self.pieces, self.intermissions) = (fields, pieces, intermissions)
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try Evening.Fields(from: decoder),
            pieces: try values.decodeIfPresent([String].self, forKey: .pieces),
            intermissions: try values.decodeIfPresent([Int].self, forKey: .intermissions))
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
