import Floor
import Hosting
import Podium
import Titles

/// The content of all screens, sent whole whenever it changes; docs/console-api.md describes every field.
struct ScreenState: Encodable, Equatable {
    struct TitleJSON: Encodable, Equatable {
        var piece: Int
        var number: Int
        /// The text in each language; the key is “” for a text whose language has no name.
        var texts: [String: String]
        /// The languages in the order of the list.
        var order: [String]
        var fadeIn: Double
        var fadeOut: Double
        @OrNull var position: String?
    }

    /// The page of a speaker's slides that is on the screens.
    struct SlideJSON: Encodable, Equatable {
        var document: String
        var page: Int
        /// The address of the page's picture.
        var image: String
    }

    /// The video of a speaker that is on the screens: it was at `seconds` at the time `since`.
    struct VideoJSON: Encodable, Equatable {
        var document: String
        /// The address of the video.
        var address: String
        var seconds: Double
        /// Milliseconds of the show; the answers to heartbeats say how late it is.
        var since: Int64
        var isPlaying: Bool
    }

    var blank: String
    var hidden: Bool
    /// True if a person has ended the fade to this title.
    var fadeEnded: Bool
    @OrNull var title: TitleJSON?
    @OrNull var slide: SlideJSON?
    @OrNull var video: VideoJSON?

    static let empty = ScreenState(
        blank: ScreenBlank.none.rawValue, hidden: false, fadeEnded: false, title: nil)

    init(blank: String, hidden: Bool, fadeEnded: Bool, title: TitleJSON?) {
        self.blank = blank
        self.hidden = hidden
        self.fadeEnded = fadeEnded
        _title = OrNull(wrappedValue: title)
        _slide = OrNull(wrappedValue: nil)
        _video = OrNull(wrappedValue: nil)
    }

    /// The state with what speakers show. The moderator's blank lies over the titles too, a speaker's one only over
    /// slides; black prevails over white.
    func with(_ floor: FloorState?) -> ScreenState {
        guard let screen = floor?.screen else { return self }
        var state = self
        if screen.isBlankedByModerator, blank != ScreenBlank.black.rawValue {
            state.blank = screen.blank.rawValue
        }
        guard screen.blank == .none || screen.isBlankedByModerator else {
            if screen.blank == .white, title == nil, blank == ScreenBlank.none.rawValue {
                state.blank = screen.blank.rawValue
            }
            return state
        }
        switch screen.content {
        case .nothing: break
        case .page(let document, let number):
            state.slide = SlideJSON(
                document: document, page: number, image: "/api/floor/pages/\(document)/\(number)")
        case .video(let document, let seconds, let since, let isPlaying):
            state.video = VideoJSON(
                document: document, address: "/api/floor/videos/\(document)", seconds: seconds, since: since,
                isPlaying: isPlaying)
        }
        return state
    }

    init(_ shown: ShownTitle, of programme: ShowProgramme) {
        let titles =
            programme.pieces.indices.contains(shown.piece) ? programme.pieces[shown.piece].titles.titles : []
        var json: TitleJSON?
        if !shown.isHidden, let number = shown.number, titles.indices.contains(number - 1) {
            let title = titles[number - 1]
            json = TitleJSON(
                piece: shown.piece, number: number,
                texts: Dictionary(
                    title.texts.map { ($0.language, $0.text) }, uniquingKeysWith: { first, _ in first }),
                order: title.texts.map(\.language),
                fadeIn: title.fadeIn, fadeOut: title.fadeOut,
                position: title.position?.rawValue)
        }
        self.init(
            blank: shown.blank.rawValue, hidden: shown.isHidden, fadeEnded: shown.isFadeEnded, title: json)
    }
}

/// The titles as their operator sees them, a section of the consoles' stream.
struct TitlesSection: Encodable, Equatable {
    var piece: Int
    /// The folder of the piece; nil while the programme has no piece.
    @OrNull var folder: String?
    var count: Int
    /// Changes with every change of the list, so that a page reads it anew.
    var revision: String
    @OrNull var number: Int?
    var hidden: Bool
    var blank: String
    var followsMusic: Bool
    /// True while the follower is lost and titles wait for a person.
    var needsOperator: Bool
    /// True while listeners' phones show the titles too.
    var onPhones: Bool
    /// The numbers of the titles that are left out tonight.
    var skipped: [Int]

    init(_ snapshot: ShowEngineSnapshot, revision: String) {
        let runner = snapshot.state.titles ?? TitleRunner()
        piece = snapshot.state.piece
        _folder = OrNull(wrappedValue: snapshot.programme.isEmpty ? nil : snapshot.piece.folder)
        count = snapshot.piece.titles.count
        self.revision = revision
        _number = OrNull(wrappedValue: runner.index.map { $0 + 1 })
        hidden = runner.isHidden
        blank = runner.blank.rawValue
        followsMusic = runner.followsMusic
        needsOperator = runner.needsOperator
        onPhones = runner.isOnPhones
        skipped = (snapshot.state.skippedTitles?[snapshot.piece.folder] ?? []).map { $0 + 1 }
    }
}
