import Floor
import Hosting

/// The floor as the page of a speaker gets it; docs/speakers.md describes every field.
struct PageStateJSON: Encodable {
    struct Presenter: Encodable {
        var id: UInt8
        var name: String
        /// The name with a number if another presenter has the same.
        var shownName: String
        var connected: Bool
        @OrNull var document: String?
        var pages: Int
        var page: Int
        /// True if the presenter does not want to hear of requests while speaking.
        var doNotDisturb: Bool
    }

    var epoch: String
    @OrNull var holder: UInt8?
    @OrNull var lender: UInt8?
    /// Milliseconds of the show; the event `clock` has the present ones.
    @OrNull var loanEndsAt: Int64?
    var requests: [UInt8]
    var presenters: [Presenter]
    var screen: FloorJSON.Screen

    /// - Parameter reader: whether the one who reads it has the floor, and is not told of requests while “do not
    ///   disturb” is on.
    init(_ floor: FloorState?, forHolder isHolder: Bool) {
        epoch = floor?.epoch.description ?? ""
        holder = floor?.holder?.rawValue
        lender = floor?.loan?.lender.rawValue
        loanEndsAt = floor?.loan?.endsAt
        let hidesRequests = isHolder && floor?.holdsRequestsBack == true
        requests = hidesRequests ? [] : (floor?.requests ?? []).map(\.presenter.rawValue)
        presenters = (floor?.presenters ?? []).map { presenter in
            Presenter(
                id: presenter.id.rawValue, name: presenter.name, shownName: presenter.shownName,
                connected: presenter.isPresent,
                document: presenter.document,
                pages: presenter.document.flatMap { floor?.document($0) }?.pages ?? 0, page: presenter.page,
                doNotDisturb: presenter.isDoNotDisturb)
        }
        screen = FloorJSON.Screen(floor)
    }
}
