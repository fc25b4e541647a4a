/// The content of the screen, as far as speakers decide it.
public struct FloorScreen: Hashable, Sendable, Codable {
    /// The content of the screen.
    public enum Content: Hashable, Sendable, Codable {
        case nothing
        /// A page of slides, counted from 1.
        case page(document: FloorDocument.ID, number: Int)
        /// A video that was at `seconds` at the time `since` (milliseconds of the show).
        case video(document: FloorDocument.ID, seconds: Double, since: Int64, isPlaying: Bool)
    }

    /// The colour of a screen that shows no content.
    public enum Blank: String, Hashable, Sendable, Codable { case none, black, white }

    public internal(set) var content = Content.nothing
    public internal(set) var blank = Blank.none
    /// True if the moderator has blanked the screen; presenters cannot undo it.
    public internal(set) var isBlankedByModerator = false
    /// The person whose content is shown; nil if nothing was shown yet. The content stays when the floor is taken away.
    public internal(set) var presenter: FloorPresenter.ID?

    public init() {}

    /// The file of which something is on the screen, also behind a blank; nil for none.
    public var document: FloorDocument.ID? {
        switch content {
        case .nothing: nil
        case .page(let document, _), .video(let document, _, _, _): document
        }
    }
}
