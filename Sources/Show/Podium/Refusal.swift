/// Why a command was refused. Nothing has changed.
public struct Refusal: Error, Hashable, Sendable, Codable {
    public var code: RefusalCode
    /// What is wrong and what to do.
    public var sentence: String

    init(_ code: RefusalCode, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

/// The kinds of refusal, for programs.
public enum RefusalCode: String, Hashable, Sendable, Codable, CaseIterable {
    /// The baton has changed hands since the command was given.
    case oldEpoch = "old-epoch"
    /// The show is locked.
    case locked
    /// The person does not have the right to give this command.
    case notAllowed = "not-allowed"
    /// Somebody of higher rank holds the baton.
    case held
    /// A second GO or tap immediately after the first.
    case misfire
    case panic
    case noCue = "no-cue"
    case noPlace = "no-place"
    case noPiece = "no-piece"
    case noCandidate = "no-candidate"
    /// There is nothing that the command could apply to.
    case notNow = "not-now"
}

extension Refusal {
    static func oldEpoch(_ given: Epoch, now: Epoch) -> Refusal {
        Refusal(
            .oldEpoch,
            given > now
                ? "The command belongs to epoch \(given), which this server has not reached; ask the other server."
                : "The baton has changed hands since (epoch \(given), now \(now)); look and give the command again."
        )
    }

    static func locked(_ what: String) -> Refusal {
        Refusal(.locked, "The show is locked, so \(what); unlock it first.")
    }

    static func notAllowed(_ person: Person, _ command: PodiumCommand) -> Refusal {
        Refusal(
            .notAllowed,
            "“\(command.words[0])” is for the technician, not for a \(person.role.rawValue); ask there.")
    }

    static func held(by holder: Holder) -> Refusal {
        Refusal(.held, "The \(holder.kind) \(holder.name) holds the baton; ask for it.")
    }

    static func misfire(_ command: String, afterMilliseconds: Int64) -> Refusal {
        Refusal(
            .misfire,
            "“\(command)” came \(afterMilliseconds) ms after the one before and was not obeyed; give it again "
                + "if you meant it.")
    }

    static let panic = Refusal(.panic, "Nothing fires in a panic; say “panic-over” first.")
    static let noCue = Refusal(.noCue, "No cue is on standby; choose one.")
    static let noFurtherCue = Refusal(
        .noCue, "The cue list of this piece ends here; no other cue can stand by.")

    static func noCue(_ id: Cue.ID) -> Refusal {
        Refusal(.noCue, "This piece has no cue “\(id.prefix(40))”; choose one of its list.")
    }

    static func noPlace(_ fault: PlaceFault) -> Refusal { Refusal(.noPlace, fault.sentence) }

    static func noMeasureThere(_ measures: Int) -> Refusal {
        Refusal(.noPlace, measures < 0 ? "This is the first measure." : "This is the last measure.")
    }

    static func noPiece(_ number: Int, of count: Int) -> Refusal {
        Refusal(.noPiece, "There is no piece \(number); the programme has \(count).")
    }

    static let lastPiece = Refusal(.noPiece, "This is the last piece of the programme.")

    static let nothingToChoose = Refusal(
        .noCandidate, "There is nothing to choose from; go to a measure or say that its bar is now.")

    static func noCandidate(_ number: Int, of count: Int) -> Refusal {
        Refusal(.noCandidate, "There is no candidate \(number); choose 1 to \(count).")
    }

    static func noCandidate(_ place: Place, of candidates: [Candidate]) -> Refusal {
        let offered = candidates.map { "p:\($0.played) (measure \($0.printed))" }.joined(separator: ", ")
        return Refusal(
            .noCandidate,
            "No candidate is at \(place); they are at \(offered). Choose one, or say “bar-is-now \(place)”.")
    }

    static let musicFollowed = Refusal(
        .notNow,
        "The music is being followed, so nothing is listened for from anywhere; check before it begins.")

    static let heldByHand = Refusal(
        .notNow, "The position moves by hand, so there is nothing to hold; release the baton first.")
    static let pieceInUse = Refusal(
        .notNow,
        "The piece being played is not in the changed programme; keep it, or begin another piece first.")
}
