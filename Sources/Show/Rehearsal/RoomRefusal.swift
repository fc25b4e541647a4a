import Basics

/// The reason for refusing an event; a refused event changes nothing.
public struct RoomRefusal: Explained, Hashable, Sendable, Codable {
    public var code: RoomRefusalCode
    /// A sentence for the user: what is wrong and what to do.
    public var sentence: String

    public init(_ code: RoomRefusalCode, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    init(_ fault: RehearsalFault) { self.init(.invalid, fault.sentence) }
}

/// The kind of refusal, as a stable code for programs.
public enum RoomRefusalCode: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user does not have the right to the score.
    case noScoreGrant = "no-bundle"
    case wrongPasskey = "wrong-passkey"
    case notAMember = "not-a-member"
    case expelled
    /// The room is being prepared.
    case notPublished = "not-published"
    /// The user is neither the owner nor, for acts that leaders may do, a leader.
    case notAllowed = "not-allowed"
    /// The remark, layer or id belongs to somebody else.
    case notYours = "not-yours"
    /// The remark was erased, or never existed.
    case noRemark = "no-remark"
    case noLayer = "no-layer"
    case noPage = "no-page"
    case noMember = "no-member"
    /// There is nothing that the act could apply to.
    case notNow = "not-now"
    case full
    /// The data in the event is invalid.
    case invalid
}

extension RoomRefusal {
    static let noScoreGrant = RoomRefusal(
        .noScoreGrant, "You have not been given this room's score; ask the librarian for it.")
    static let wrongPasskey = RoomRefusal(.wrongPasskey, "The passkey is not this room's; ask its owner.")
    static let notAMember = RoomRefusal(.notAMember, "You are not a member of this room; join it first.")
    static let expelled = RoomRefusal(
        .expelled, "The owner has put you out of this room; ask to be let in again.")
    static let notPublished = RoomRefusal(
        .notPublished, "This room is being prepared; wait until it is opened.")
    public static let tooManyPublishedRooms = RoomRefusal(
        .full,
        "You have opened \(RoomLimits.mostPublishedRooms) rooms for others, the most there may be; close one first."
    )
    static let noSession = RoomRefusal(.notNow, "No session is running in this room; its owner begins one.")
    static let sessionAlreadyRuns = RoomRefusal(
        .notNow, "A session is running already; end it before the next.")
    static let notInSession = RoomRefusal(.notNow, "You do not take part in this session; enter it first.")
    static let exactlyOneOwner = RoomRefusal(
        .notAllowed, "A room has exactly one owner; hand it over to change who that is.")
    static let usedID = RoomRefusal(.notYours, "This id is taken by another object; make a new one.")
    static let notYourRemark = RoomRefusal(
        .notYours, "Only its author changes a remark; make one of your own.")
    public static let noRemark = RoomRefusal(
        .noRemark, "This remark was erased, so it cannot be changed; make a new one.")
    static let notErased = RoomRefusal(
        .noRemark, "This remark was not erased, or too long ago to be brought back; make a new one.")
    static let noLayer = RoomRefusal(
        .noLayer, "There is no such layer in this room; enter the session again.")
    static let noMember = RoomRefusal(
        .noMember, "Nobody of that id is a member of this room; look at its members.")

    static func onlyOwner(_ what: String) -> RoomRefusal {
        RoomRefusal(.notAllowed, "Only the room's owner \(what); ask there.")
    }

    static let onlyLeadersTurnPages = RoomRefusal(
        .notAllowed, "Only the room's owner, and whom the owner lets, turns pages for all; turn your own.")
    static let onlyLeadersPinpoint = RoomRefusal(
        .notAllowed, "Only the room's owner, and whom the owner lets, shows a place to all; ask there.")

    static let onlyLeadersOpenScores = RoomRefusal(
        .notAllowed, "Only the room's owner, and whom the owner lets, changes the programme; ask there.")
    public static let pageKnowsOneScore = RoomRefusal(
        .invalid,
        "This room plays several scores now, and this page is too old for that; load the page again.")
    public static let scoreNotGiven = RoomRefusal(
        .noScoreGrant, "You have not been given this score; ask the librarian for it.")
    static let openScoreStays = RoomRefusal(
        .notNow, "This score is open on all stands; open another one first, then take it out.")
    static let playsTonightsProgramme = RoomRefusal(
        .notNow,
        "This room plays tonight's programme, which is changed on the console. To change the list here, let the room "
            + "have a list of its own first.")
    static let noEntry = RoomRefusal(
        .noPage, "This score is not in the programme any more; look at the programme again.")

    static func noPage(_ page: Int, ofPart part: Int) -> RoomRefusal {
        RoomRefusal(.noPage, "There is no page of index \(page) in part \(part); load the score again.")
    }

    static func noPart(_ part: Int) -> RoomRefusal {
        RoomRefusal(.noPage, "There is no part of index \(part) in this score; load the score again.")
    }

    static func noMeasure(_ measure: Int) -> RoomRefusal {
        RoomRefusal(.noPage, "There is no measure \(measure) in any score; tap the place again.")
    }

    static func full(_ things: String, most: Int) -> RoomRefusal {
        RoomRefusal(.full, "This room holds \(most) \(things) already, the most it takes; remove some first.")
    }
}
