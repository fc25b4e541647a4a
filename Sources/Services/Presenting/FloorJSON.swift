import Floor
import Hosting

/// The floor as the moderator reads it; docs/speakers.md describes every field.
struct FloorJSON: Encodable {
    struct Presenter: Encodable {
        var id: UInt8
        var name: String
        /// The name with a number if another presenter has the same.
        var shownName: String
        var connected: Bool
        /// Number of pages of the presenter's slides; 0 without slides.
        var pages: Int
        var page: Int
        /// True if requests are held back from this presenter by its own wish.
        var doNotDisturb: Bool
    }

    struct Request: Encodable {
        var presenter: UInt8
        var waitingMs: Int64
    }

    struct Loan: Encodable {
        var lender: UInt8
        @OrNull var endsInMs: Int64?
    }

    /// A video on the screen: it was at `seconds` at the time `since`.
    struct Video: Encodable {
        var name: String
        var seconds: Double
        /// Milliseconds of the show.
        var since: Int64
        var isPlaying: Bool
    }

    struct Screen: Encodable {
        var kind: String
        @OrNull var presenter: UInt8?
        @OrNull var document: String?
        @OrNull var page: Int?
        @OrNull var image: String?
        @OrNull var video: Video?
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
                id: presenter.id.rawValue, name: presenter.name, shownName: presenter.shownName,
                connected: presenter.isPresent,
                pages: presenter.document.flatMap { floor?.document($0) }?.pages ?? 0, page: presenter.page,
                doNotDisturb: presenter.isDoNotDisturb)
        }
        screen = Screen(floor)
    }
}

extension FloorJSON.Screen {
    init(_ floor: FloorState?) {
        let screen = floor?.screen ?? FloorScreen()
        (kind, blank, blankedByModerator) = ("nothing", screen.blank.rawValue, screen.isBlankedByModerator)
        presenter = screen.presenter?.rawValue
        switch screen.content {
        case .nothing: break
        case .page(let document, let number):
            (kind, self.document, page) = ("page", document, number)
            image = "/api/floor/pages/\(document)/\(number)"
        case .video(let document, let seconds, let since, let isPlaying):
            (kind, self.document) = ("video", document)
            video = FloorJSON.Video(
                name: floor?.document(document)?.name ?? "", seconds: seconds, since: since,
                isPlaying: isPlaying)
        }
    }
}
