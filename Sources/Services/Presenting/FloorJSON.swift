import Floor
import Hosting

/// The floor as the moderator reads it; docs/speakers.md describes every field.
struct FloorJSON: Encodable {
    struct Presenter: Encodable {
        var id: UInt8
        var name: String
        var connected: Bool
        /// Number of pages of the presenter's slides; 0 without slides.
        var pages: Int
        var page: Int
    }

    struct Request: Encodable {
        var presenter: UInt8
        var waitingMs: Int64
    }

    struct Loan: Encodable {
        var lender: UInt8
        @OrNull var endsInMs: Int64?
    }

    struct Screen: Encodable {
        var kind: String
        @OrNull var presenter: UInt8?
        @OrNull var document: String?
        @OrNull var page: Int?
        @OrNull var image: String?
        var blank: String
        var blankedByModerator: Bool
    }

    var epoch: String
    @OrNull var holder: UInt8?
    @OrNull var loan: Loan?
    var doNotDisturb: Bool
    /// In the order in which they asked.
    var requests: [Request]
    var presenters: [Presenter]
    var screen: Screen

    /// - Parameter now: milliseconds of the show.
    init(_ floor: FloorState?, now: Int64) {
        epoch = floor?.epoch.description ?? ""
        holder = floor?.holder?.rawValue
        loan = floor?.loan.map { loan in
            Loan(lender: loan.lender.rawValue, endsInMs: loan.endsAt.map { max(0, $0 - now) })
        }
        doNotDisturb = floor?.isDoNotDisturb ?? false
        requests = (floor?.requests ?? []).map {
            Request(presenter: $0.presenter.rawValue, waitingMs: max(0, now - $0.since))
        }
        presenters = (floor?.presenters ?? []).map { presenter in
            Presenter(
                id: presenter.id.rawValue, name: presenter.name, connected: presenter.isPresent,
                pages: presenter.document.flatMap { floor?.document($0) }?.pages ?? 0, page: presenter.page)
        }
        screen = Screen(floor?.screen ?? FloorScreen())
    }
}

extension FloorJSON.Screen {
    init(_ screen: FloorScreen) {
        (kind, blank, blankedByModerator) = ("nothing", screen.blank.rawValue, screen.isBlankedByModerator)
        presenter = screen.presenter?.rawValue
        switch screen.content {
        case .nothing: break
        case .page(let document, let number):
            (kind, self.document, page) = ("page", document, number)
            image = "/api/floor/pages/\(document)/\(number)"
        case .video(let document, _, _, _): (kind, self.document) = ("video", document)
        }
    }
}
