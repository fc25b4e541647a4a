import Basics

/// The reason for refusing an event; a refused event changes nothing.
public struct FloorRefusal: Explained, Hashable, Sendable, Codable {
    public var code: Code
    /// A sentence for the user: what is wrong and what to do.
    public var sentence: String

    /// The kind of refusal, as a stable code for programs.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// Somebody else, or nobody, has the floor.
        case noFloor = "no-floor"
        /// There is no such presenter, or it cannot be reached.
        case noPresenter = "no-presenter"
        /// There is no such file.
        case noDocument = "no-document"
        case noPage = "no-page"
        /// Nothing that the action could apply to.
        case notNow = "not-now"
        /// A limit is reached.
        case full
        /// A value is outside its range.
        case badValue = "bad-value"
    }

    init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

extension FloorRefusal {
    static let noFloor = FloorRefusal(
        .noFloor, "You do not have the floor; ask for it and wait for the grant.")
    static let unknown = FloorRefusal(.noPresenter, "Nobody is registered with this number; register again.")

    static func noPresenter(_ id: FloorPresenter.ID) -> FloorRefusal {
        FloorRefusal(.noPresenter, "Presenter \(id.rawValue) is not connected; choose another one.")
    }

    static let hasFloor = FloorRefusal(.notNow, "This presenter has the floor already.")
    static let isLent = FloorRefusal(
        .notNow, "The floor was given to you for a short time; return it instead of handing it on.")
    static let noLoan = FloorRefusal(.notNow, "The floor is not lent, so it cannot come back.")
    static let noRequest = FloorRefusal(.notNow, "This presenter does not ask for the floor.")
    static let noHolder = FloorRefusal(.notNow, "Nobody has the floor; grant it instead of lending it.")
    static let noSlides = FloorRefusal(.noDocument, "You have no slides here; send a PDF first.")
    static let videoWithoutFloor = FloorRefusal(
        .notNow, "The speaker of this video does not have the floor; give the floor first.")
    static let noVideoShown = FloorRefusal(.notNow, "No video is on the screens now.")
    static let noVideo = FloorRefusal(.notNow, "No video of yours is on the screen; play one first.")

    static func noVideo(_ name: String) -> FloorRefusal {
        FloorRefusal(.noDocument, "You have sent no video “\(name.prefix(80))”; send it first.")
    }

    static func noPage(_ number: Int, of count: Int) -> FloorRefusal {
        FloorRefusal(.noPage, "There is no page \(number); the slides have pages 1 to \(count).")
    }

    static let full = FloorRefusal(
        .full, "\(FloorState.mostPresenters) presenters are registered; wait until one has left.")
    static let tooManyDocuments = FloorRefusal(
        .full,
        "You have sent \(FloorState.mostDocumentsEach) files, which is the limit; register anew to send more."
    )
    static let badName = FloorRefusal(
        .badValue, "A presenter's name has 1 to \(FloorState.longestName) bytes and no control characters.")
    /// A lent floor comes back after at least a second; a countdown or a place in a video may be 0.
    static let badLoanSeconds = FloorRefusal(
        .badValue,
        "The seconds must be a whole number from 1 to 86,400; leave them out to lend without an end.")
    static let badSeconds = FloorRefusal(.badValue, "The seconds must be a whole number from 0 to 86,400.")
    static let badVideoPosition = FloorRefusal(
        .badValue, "The position in a video must be a number of seconds from 0 to 86,400.")
    static let badDocument = FloorRefusal(
        .badValue, "Slides have at least one page, and each file is sent once.")
}
