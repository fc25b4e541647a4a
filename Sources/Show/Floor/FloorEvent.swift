/// An input of the floor, as the show log stores it.
public enum FloorEvent: Hashable, Sendable, Codable {
    /// Somebody registers over a network connection.
    case register(name: String, address: String, connection: String)
    case connectionLost(connection: String)
    /// An uploaded file was checked and is ready to be shown.
    case documentReady(document: FloorDocument)
    case presenter(id: FloorPresenter.ID, action: PresenterAction)
    case moderator(action: ModeratorAction)
}

/// An action of a presenter. All but the first five need the floor.
public enum PresenterAction: Hashable, Sendable, Codable {
    case unregister
    case requestFloor
    /// Takes back the own request; without one it changes nothing.
    case withdrawRequest
    /// Ends a loan of the floor by this presenter after a number of seconds.
    case recallLoan(afterSeconds: Int)
    /// Requests are held back from this presenter, as long as it has the floor, or no longer.
    case setDoNotDisturb(isOn: Bool)
    case nextPage
    case previousPage
    /// Goes to a page, counted from 1.
    case goToPage(number: Int)
    /// Shows no content until the next page or video.
    case blank(colour: FloorScreen.Blank)
    case handOver(to: FloorPresenter.ID)
    /// Lends the floor; after the seconds it goes back by itself, with nil only by `returnFloor` or `recallLoan`.
    case lend(to: FloorPresenter.ID, seconds: Int?)
    /// Gives the floor back to the lender, or, if it was not lent, to nobody.
    case returnFloor
    case playVideo(name: String)
    case pauseVideo
    case stopVideo
    case seekVideo(seconds: Double)
    /// A drawing on the page that is shown, as its presenter's program encodes it. The show log keeps it. Screens show
    /// the ``drawnTypes``; docs/speakers.md describes their bytes.
    case annotate(type: UInt16, base64: String)

    /// The types of annotations that change the picture on the screen: a stroke, and clearing the page.
    public static let drawnTypes: ClosedRange<UInt16> = 0x10...0x11
}

/// An action of the moderator, who can do everything at any time.
public enum ModeratorAction: Hashable, Sendable, Codable {
    case grant(to: FloorPresenter.ID)
    case lend(to: FloorPresenter.ID, seconds: Int?)
    /// Takes the floor for the moderator, who then presents.
    case takeFloor(name: String)
    /// Ends a loan now.
    case endLoan
    /// Takes the floor from its holder and gives it to nobody; the content stays on the screen.
    case withdraw
    /// Removes a request without granting it.
    case declineRequest(of: FloorPresenter.ID)
    case setDoNotDisturb(isOn: Bool)
    /// Blanks the screen, or with `none` ends the moderator's blank.
    case blank(colour: FloorScreen.Blank)
    /// Takes the floor from its holder, ends every video and makes the screen black.
    case stop
    /// Removes a presenter.
    case remove(presenter: FloorPresenter.ID)
    /// Lets the video on the screen play or stand still, whoever's it is.
    case playVideo(isOn: Bool)
    /// Moves the video on the screen on by so many seconds, or back.
    case moveVideo(seconds: Int)
}
