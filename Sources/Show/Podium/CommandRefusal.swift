import Basics
import Titles

/// The reason for refusing a command; a refused command changes nothing.
public struct CommandRefusal: Explained, Hashable, Sendable, Codable {
    public var code: CommandRefusalCode
    /// A sentence for the user: what is wrong and what to do.
    public var sentence: String

    init(_ code: CommandRefusalCode, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

/// The kind of refusal, as a stable code for programs.
public enum CommandRefusalCode: String, Hashable, Sendable, Codable, CaseIterable {
    /// The baton has changed hands since the command was given.
    case oldEpoch = "old-epoch"
    /// The show is locked, which forbids the command.
    case locked
    /// The person does not have the right to give this command.
    case notAllowed = "not-allowed"
    /// Somebody of higher rank holds the baton.
    case held
    /// A second GO or tap came so soon after the first that it counts as an accident.
    case misfire
    case panic
    case noCue = "no-cue"
    case noPlace = "no-place"
    case noPiece = "no-piece"
    case noCandidate = "no-candidate"
    case noTitle = "no-title"
    /// Somebody else has changed the list of titles since it was read.
    case titlesChanged = "titles-changed"
    /// Somebody else has changed the piece's cues since they were read.
    case cuesChanged = "cues-changed"
    /// The list of titles would break a rule.
    case badTitles = "bad-titles"
    /// There is nothing that the command could apply to.
    case notNow = "not-now"
    /// The person does not have the floor.
    case noFloor = "no-floor"
    case noPresenter = "no-presenter"
    case noDocument = "no-document"
    case noPage = "no-page"
    /// A limit of the floor is reached.
    case full
    case badValue = "bad-value"
}

extension CommandRefusal {
    static func oldEpoch(_ given: BatonEpoch, now: BatonEpoch) -> CommandRefusal {
        CommandRefusal(
            .oldEpoch,
            given > now
                ? "The command belongs to epoch \(given), which this server has not reached; ask the other server."
                : "The baton has changed hands since (epoch \(given), now \(now)); look and give the command again."
        )
    }

    static func showLocked(_ what: String) -> CommandRefusal {
        CommandRefusal(.locked, "The show is locked, so \(what); unlock it first.")
    }

    static func notAllowed(_ person: CommandSender, _ command: PodiumCommand) -> CommandRefusal {
        CommandRefusal(
            .notAllowed,
            "“\(command.words[0])” is for the technician, not for a \(person.role.rawValue); ask there.")
    }

    static func batonHeld(by holder: BatonHolder) -> CommandRefusal {
        CommandRefusal(.held, "The \(holder.kind) \(holder.name) holds the baton; ask for it.")
    }

    static func accidentalRepeat(_ command: String, afterMilliseconds: Int64) -> CommandRefusal {
        CommandRefusal(
            .misfire,
            "“\(command)” came \(afterMilliseconds) ms after the one before and was not obeyed; give it again "
                + "if you meant it.")
    }

    static let refusedInPanic = CommandRefusal(.panic, "Nothing fires in a panic; end the panic first.")
    static let noCueOnStandby = CommandRefusal(.noCue, "No cue is on standby; choose one.")
    static let noFurtherCue = CommandRefusal(
        .noCue, "The cue list of this piece ends here; no other cue can stand by.")

    static func unknownCue(_ id: Cue.ID) -> CommandRefusal {
        CommandRefusal(.noCue, "This piece has no cue “\(id.prefix(40))”; choose one of its list.")
    }

    static func severalCues(named words: String, ids: [Cue.ID]) -> CommandRefusal {
        CommandRefusal(
            .noCue,
            "\(ids.count) cues of this piece are named “\(words.prefix(40))”; give the id of one, such as "
                + "\(ids.prefix(4).joined(separator: ", ")).")
    }

    static func placeNotFound(_ fault: MeasureReferenceFault) -> CommandRefusal {
        CommandRefusal(.noPlace, fault.sentence)
    }

    static func title(_ refusal: TitleRefusal) -> CommandRefusal {
        if case .justShown = refusal { return CommandRefusal(.misfire, refusal.sentence) }
        return CommandRefusal(.noTitle, refusal.sentence)
    }

    public static func invalidTitles(_ fault: TitleFault) -> CommandRefusal {
        CommandRefusal(.badTitles, fault.sentence)
    }

    static func noMeasureBeyond(_ measures: Int) -> CommandRefusal {
        CommandRefusal(.noPlace, measures < 0 ? "This is the first measure." : "This is the last measure.")
    }

    static func noPiece(_ number: Int, of count: Int) -> CommandRefusal {
        CommandRefusal(.noPiece, "There is no piece \(number); the programme has \(count).")
    }

    static let lastPiece = CommandRefusal(.noPiece, "This is the last piece of the programme.")

    static let noCandidateToChoose = CommandRefusal(
        .noCandidate, "There is nothing to choose from; go to a measure or say that its bar is now.")

    static func noCandidate(_ number: Int, of count: Int) -> CommandRefusal {
        CommandRefusal(.noCandidate, "There is no candidate \(number); choose 1 to \(count).")
    }

    static func noCandidate(_ place: MeasureReference, of candidates: [CandidateMeasure]) -> CommandRefusal {
        let offered = candidates.map { "p:\($0.played) (measure \($0.printed))" }.joined(separator: ", ")
        return CommandRefusal(
            .noCandidate,
            "No candidate is at \(place); they are at \(offered). Choose one, or say “bar-is-now \(place)”.")
    }

    static let cannotCheckWhileFollowing = CommandRefusal(
        .notNow,
        "The music is being followed, so nothing is listened for from anywhere; check before it begins.")

    static let positionMovedByHand = CommandRefusal(
        .notNow, "The position moves by hand, so there is nothing to hold; release the baton first.")
    static let currentPieceRemoved = CommandRefusal(
        .notNow,
        "The piece being played is not in the changed programme; keep it, or begin another piece first.")
    static let currentPieceReprepared = CommandRefusal(
        .notNow,
        "The piece being played has been prepared anew with other measures; wait until it is over, and change the "
            + "programme then.")
    static let noPieceInProgramme = CommandRefusal(
        .noPiece, "The programme has no piece yet; add one in the panel “Programme”.")
    /// Somebody else changed the titles after the person had read them.
    public static let titlesChangedMeanwhile = CommandRefusal(
        .titlesChanged,
        "Somebody else has changed these titles meanwhile; look at them as they are now, and make your change again."
    )
    /// Somebody else changed the piece's cues after the person had read them, or another piece has its number now.
    public static let cuesChangedMeanwhile = CommandRefusal(
        .cuesChanged,
        "These cues, or the order of the pieces, have changed meanwhile; look at the cues as they are now, and make "
            + "your change again.")
    /// Somebody else changed the programme after the person had read it.
    public static let programmeChangedMeanwhile = CommandRefusal(
        .notNow,
        "Somebody else has changed the programme meanwhile; look at it as it is now, and make your change again."
    )
}
