import Podium

/// Changes tonight's programme while the server runs: the order of its pieces, intermissions, an encore.
package protocol ProgrammeEditing: Sendable {
    /// The pieces that can be added now, by name; each has a prepared model.
    func listPreparedPieces() async -> [PreparedPiece]
    /// Changes the programme. New pieces are loaded first, while the present piece goes on.
    /// - Parameter sender: who makes the change, for the show log.
    /// - Returns: the outcome, or a sentence if a piece cannot be loaded.
    func changeProgramme(to wanted: WantedProgramme, by sender: CommandSender) async -> ProgrammeChangeOutcome
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
    /// The title of the evening; nil to keep it.
    package var title: String?
    /// The folders of the pieces, in order. None for an empty programme.
    package var pieces: [String]
    /// The pieces after which an intermission is planned, counted from 0.
    package var intermissions: [Int]
    /// The ``ShowProgramme/orderRevision`` of the programme that the person saw.
    package var revision: String

    package init(title: String? = nil, pieces: [String], intermissions: [Int] = [], revision: String) {
        self.title = title
        self.pieces = pieces
        self.intermissions = intermissions
        self.revision = revision
    }
}

/// The outcome of a change of the programme.
package enum ProgrammeChangeOutcome: Sendable {
    /// The show engine's answer.
    case answered(CommandOutcome)
    /// Nothing was changed, because of the reason in the sentence.
    case notPossible(String)
}
