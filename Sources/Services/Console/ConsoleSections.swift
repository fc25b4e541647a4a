import Hosting

// The JSON sections that the console gets from a snapshot of the show; docs/console-api.md describes every field.

struct ShowSwitchesSection: Encodable {
    var title: String
    /// The kind of evening: concert, rehearsal or try-out.
    var kind: String
    @OrNull var date: String?
    @OrNull var place: String?
    /// Those who perform, each on a line such as `Anna Berg, violin`.
    var people: String
    /// True while an evening that was interrupted stands where it went on.
    var goesOn: Bool
    var server: ServerJSON
    var locked: Bool
    var panic: String
    var rehearsal: Bool
    /// True while the blackout switch is on. A blackout or freeze has no effect before the music begins, but stays set.
    var black: Bool
    var frozen: Bool
    var paused: Bool
    /// True while an operator has stopped the position where it is, whatever the mode.
    var held: Bool
    var intermission: Bool
    var autoAdvance: Bool
    /// The part of the evening: not-yet, armed, under-way, intermission or over.
    var evening: String
    /// True if each piece waits to be armed.
    var armEachPiece: Bool
    var started: String
}

package struct PositionSection: Codable, Equatable {
    package struct HolderJSON: Codable, Equatable {
        package var kind: String
        package var name: String
    }

    package struct AudiencePositionJSON: Codable, Equatable {
        var view: String
        /// The reason why the audience sees nothing live: before, intermission, rehearsal, check, stop, ended or over;
        /// nil while something is live.
        @OrNull var why: String?
        @OrNull var piece: Int?
        @OrNull var measure: Int?
    }

    /// A position that the follower must confirm before the audience sees it.
    struct PositionAwaitingConfirmation: Codable, Equatable {
        var measure: Int
        /// Milliseconds until the position counts as confirmed, at the present confidence; nil while the confidence
        /// is too low.
        @OrNull var inMs: Int64?
    }

    package var piece: Int
    package var pieceName: String
    @OrNull package var measure: Int?
    @OrNull package var played: Int?
    package var playedCount: Int
    package var fraction: Double
    @OrNull package var section: String?
    package var tempo: Double
    package var holder: HolderJSON
    package var epoch: String
    package var mode: String
    var sinceMs: Int64
    /// The time of the follower's newest report, in milliseconds since 1970.
    var sentAt: Int64
    package var audience: AudiencePositionJSON
    @OrNull var proving: PositionAwaitingConfirmation?

    /// A copy of the section with all continuously changing fields set to zero. If two such copies are equal, the
    /// change between the sections is not urgent.
    package var withContinuousFieldsZeroed: PositionSection {
        var withoutMovingFields = self
        withoutMovingFields.proving?.inMs = nil
        (
            withoutMovingFields.fraction, withoutMovingFields.tempo, withoutMovingFields.sinceMs,
            withoutMovingFields.sentAt
        ) = (0, 0, 0, 0)
        return withoutMovingFields
    }
}

struct PositionCandidateJSON: Encodable, Equatable {
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
    /// The follower's confidence, from 0 to 1; nil while no music is heard.
    @OrNull var confidence: Double?
    var silent: Bool
    var tempo: Double
    var transposition: Int
    var tuningCents: Double
    var candidates: [PositionCandidateJSON]
}

struct FollowerHelpRequestSection: Encodable {
    var candidates: [PositionCandidateJSON]
}

struct CuesSection: Encodable, Equatable {
    struct NextCueJSON: Encodable, Equatable {
        var id: String
        var inMeasures: Int
        @OrNull var inSeconds: Double?
    }

    struct CueItemJSON: Encodable, Equatable {
        var id: String
        var place: String
        var played: Int
        package var name: String
        package var kind: String
        var auto: Bool
        var earlinessMs: Int
        /// What the cue waits for in the first bars: certain or person.
        var begin: String
        var notes: String
        var fired: Bool
        /// True if the cue fired but could not be sent.
        var failed: Bool
        var detail: String
        /// The reason why the cue cannot be sent; nil if it can.
        @OrNull var trouble: String?
    }

    var piece: Int
    @OrNull var standby: String?
    @OrNull var next: NextCueJSON?
    var list: [CueItemJSON]

    /// A copy of the section without the countdown's seconds. If two such copies are equal, the change between the
    /// sections is not urgent.
    var withoutCountdownSeconds: CuesSection {
        var withoutMovingFields = self
        withoutMovingFields.next?.inSeconds = nil
        return withoutMovingFields
    }
}

struct ProgrammeSection: Encodable {
    struct SectionJSON: Encodable {
        var label: String
        var place: String
        var played: Int
    }

    struct PieceItemJSON: Encodable {
        var index: Int
        package var name: String
        var folder: String
        var measures: Int
        var state: String
        var sections: [SectionJSON]
        var durationSeconds: Double
    }

    var pieces: [PieceItemJSON]
    /// True if no piece has been added yet; `pieces` then has one that stands in for a piece.
    var empty: Bool
    /// The pieces after which an intermission is planned, counted from 0.
    var intermissions: [Int]
    /// The number of pieces at the end that are encores.
    var encores: Int
}

struct PushMessageSection: Encodable {
    struct Message: Encodable {
        var title: String
        var body: String
        var style: String
        var buttonText: String
    }

    @OrNull var current: Message?
    /// Ready-made messages for every concert, such as a welcome.
    var templates: [Message]
    /// The messages prepared in this concert's content.
    var content: [Message]
}

package struct FaultJSON: Codable {
    package var id: String
    package var sentence: String
    package var since: String
    package var count: Int
    package var over: Bool
}

struct NoticeJSON: Encodable {
    package var kind: String
    var sentence: String
    /// The code of a refusal.
    var code: String?
}
