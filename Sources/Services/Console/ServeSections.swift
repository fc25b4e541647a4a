// What the show engine's picture becomes for the console; docs/console-api.md names every field.

struct ShowFlagsSection: Encodable {
    var title: String
    var server: ServerField
    var locked: Bool
    var panic: String
    var rehearsal: Bool
    /// The switches themselves: before the music the audience sees neither, and both hold once it begins.
    var black: Bool
    var frozen: Bool
    var paused: Bool
    /// A person holds the position, whatever the mode.
    var held: Bool
    var intermission: Bool
    var autoAdvance: Bool
    var started: String
}

struct PositionSection: Codable, Equatable {
    struct HolderField: Codable, Equatable {
        var kind: String
        var name: String
    }

    struct Audience: Codable, Equatable {
        var view: String
        /// Why nothing is live: before, intermission, rehearsal, check, stop or ended; nil while something is.
        @OrNull var why: String?
        @OrNull var piece: Int?
        @OrNull var measure: Int?
    }

    /// A place the follower has come to and must stay sure of before the audience goes along.
    struct Proving: Codable, Equatable {
        var measure: Int
        /// Milliseconds until it counts, if it stays as sure as it is; nil while it is not.
        @OrNull var inMs: Int64?
    }

    var piece: Int
    var pieceName: String
    @OrNull var measure: Int?
    @OrNull var played: Int?
    var playedCount: Int
    var fraction: Double
    @OrNull var section: String?
    var tempo: Double
    var holder: HolderField
    var epoch: String
    var mode: String
    var sinceMs: Int64
    /// Milliseconds since 1970 at which the follower's newest report was made.
    var sentAt: Int64
    var audience: Audience
    @OrNull var proving: Proving?

    /// Without what moves all the time.
    var standing: PositionSection {
        var standing = self
        standing.proving?.inMs = nil
        (standing.fraction, standing.tempo, standing.sinceMs, standing.sentAt) = (0, 0, 0, 0)
        return standing
    }
}

struct CandidateField: Encodable, Equatable {
    var place: String
    var measure: Int
    @OrNull var section: String?
    var probability: Double
}

struct FollowerSection: Encodable {
    var piece: Int
    @OrNull var measure: Int?
    @OrNull var played: Int?
    var fraction: Double
    var state: String
    /// Nil while nothing is heard that it could be sure of.
    @OrNull var confidence: Double?
    var silent: Bool
    var tempo: Double
    var transposition: Int
    var tuningCents: Double
    var candidates: [CandidateField]
}

struct HelpSection: Encodable {
    var candidates: [CandidateField]
}

struct CuesSection: Encodable, Equatable {
    struct Next: Encodable, Equatable {
        var id: String
        var inMeasures: Int
        @OrNull var inSeconds: Double?
    }

    struct Item: Encodable, Equatable {
        var id: String
        var place: String
        var played: Int
        var name: String
        var kind: String
        var auto: Bool
        var earlinessMs: Int
        var notes: String
        var fired: Bool
        /// It fired and could not be sent.
        var failed: Bool
        var detail: String
        /// Why it cannot be sent; nil where it can.
        @OrNull var trouble: String?
    }

    var piece: Int
    @OrNull var standby: String?
    @OrNull var next: Next?
    var list: [Item]

    /// Without the seconds of the countdown.
    var standing: CuesSection {
        var standing = self
        standing.next?.inSeconds = nil
        return standing
    }
}

struct ProgrammeSection: Encodable {
    struct SectionField: Encodable {
        var label: String
        var place: String
        var played: Int
    }

    struct Item: Encodable {
        var index: Int
        var name: String
        var folder: String
        var measures: Int
        var state: String
        var sections: [SectionField]
        var durationSeconds: Double
    }

    var pieces: [Item]
}

struct MessageSection: Encodable {
    struct Message: Encodable {
        var title: String
        var body: String
        var style: String
        var buttonText: String
    }

    @OrNull var current: Message?
    /// What halls say most evenings.
    var templates: [Message]
    /// Made ready for this concert.
    var content: [Message]
}

struct FaultField: Codable {
    var id: String
    var sentence: String
    var since: String
    var count: Int
    var over: Bool
}

struct NoticeField: Encodable {
    var kind: String
    var sentence: String
}
