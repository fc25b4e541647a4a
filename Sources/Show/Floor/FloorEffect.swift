/// An action that results from an event; the owner of the floor carries the actions out in order.
public enum FloorEffect: Hashable, Sendable, Codable {
    /// A connection belongs to this presenter from now on.
    case registered(presenter: FloorPresenter.ID, connection: String)
    /// A presenter's number is free again.
    case left(presenter: FloorPresenter.ID, connection: String?)
    case requested(by: FloorPresenter.ID)
    /// The holder is told that somebody asks for the floor.
    case announceRequest(of: FloorPresenter.ID, to: FloorPresenter.ID)
    case declined(presenter: FloorPresenter.ID)
    /// The floor has another holder; nil for nobody.
    case holderChanged(from: FloorPresenter.ID?, to: FloorPresenter.ID?, epoch: FloorEpoch)
    case screenChanged(screen: FloorScreen)
    case annotated(document: FloorDocument.ID, page: Int)
    /// A page has another drawing, or was cleared; the type is one of ``PresenterAction/drawnTypes``.
    case drawn(document: FloorDocument.ID, page: Int, type: UInt16, base64: String)
    /// A presenter's event was refused and changed nothing.
    case refused(FloorRefusal)
}
