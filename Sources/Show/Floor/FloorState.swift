/// The state that the floor needs to continue after a crash, or on another server.
public struct FloorState: Hashable, Sendable, Codable {
    /// The number of presenters that can be registered at once; the protocol has one byte for them.
    public static let mostPresenters = 254
    /// The largest number of files of one presenter.
    public static let mostDocumentsEach = 20
    /// The longest name of a presenter, in bytes of UTF-8.
    public static let longestName = 200
    /// Milliseconds for which the number and the floor of a presenter are kept after the connection was lost.
    public static let longestAbsence: Int64 = 60_000

    public internal(set) var epoch: FloorEpoch
    /// All presenters, by rising number.
    public internal(set) var presenters: [FloorPresenter] = []
    /// The one who decides what is on the screen; nil if nobody has the floor.
    public internal(set) var holder: FloorPresenter.ID?
    /// Present while the holder has the floor for a short time only.
    public internal(set) var loan: FloorLoan?
    /// The presenters who ask for the floor, in the order in which they asked; each at most once.
    public internal(set) var requests: [FloorRequest] = []
    /// True while the moderator holds requests back from every holder. The moderator sees them all the same.
    public internal(set) var isDoNotDisturb = false
    public internal(set) var documents: [FloorDocument] = []
    public internal(set) var screen = FloorScreen()

    init(term: UInt32) { epoch = FloorEpoch(term: term) }

    public func presenter(_ id: FloorPresenter.ID) -> FloorPresenter? { presenters.first { $0.id == id } }

    /// True while requests are held back from the holder, by the moderator or by the holder's own wish.
    public var holdsRequestsBack: Bool {
        isDoNotDisturb || holder.flatMap(presenter)?.isDoNotDisturb == true
    }

    public func document(_ id: FloorDocument.ID) -> FloorDocument? { documents.first { $0.id == id } }

    /// The presenter who is registered over a network connection.
    public func presenter(connectedBy connection: String) -> FloorPresenter? {
        presenters.first { $0.connection == connection }
    }
}

/// The loan of the floor for a short time, after which it goes back.
public struct FloorLoan: Hashable, Sendable, Codable {
    public internal(set) var lender: FloorPresenter.ID
    /// The time at which the floor goes back by itself, in milliseconds of the show; nil if it goes back only when
    /// somebody says so.
    public internal(set) var endsAt: Int64?
}

/// A presenter's request for the floor.
public struct FloorRequest: Hashable, Sendable, Codable {
    public internal(set) var presenter: FloorPresenter.ID
    /// The time of the request, in milliseconds of the show.
    public internal(set) var since: Int64
    /// True if the holder has been told of it.
    public internal(set) var isAnnounced: Bool
}
