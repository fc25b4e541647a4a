import Basics

/// The kinds of things whose names are checked; the raw value names the kind in error sentences.
public enum NameKind: String, Hashable, Sendable {
    case user
    case email = "e-mail address"
    case title
    case composer
    case lyricist
    case arranger
    case room
    case setlist
    case part
    case movement
    case layer
    case bookmark
    case rehearsalMark = "rehearsal mark"
}

/// The reasons why rehearsal data from the network or a file is invalid.
public enum RehearsalFault: Explained, Hashable, Sendable {
    case notAnID(String)
    case noName(NameKind)
    case nameTooLong(NameKind, scalars: Int)
    case controlCharacter(NameKind)
    case boxOutside(left: Double, top: Double, right: Double, bottom: Double)
    case invalidPageSize(page: Int, width: Double, height: Double)
    case tooManyOf(String, count: Int, most: Int)
    case noneOf(String)
    case noSuchPage(part: String, page: Int, pages: Int)
    case noSuchLaidPage(Int, pages: Int)
    case pageLaidTwice(Int)
    case turnOutOfRange(Int)
    case tiltOutOfRange(Double)
    case noSuchMovement(part: String, movement: Int, movements: Int)
    case markTooLong(String, scalars: Int)
    case markOutside(String, measure: Int)
    case measuresDescend(part: String, page: Int, first: Int, last: Int)
    case measuresOverlap(part: String, page: Int, measure: Int, before: Int)
    case measuresMissing(part: String, page: Int, from: Int, to: Int)
    case pointOutside(x: Int, y: Int)
    case oddCoordinates(Int)
    case noPoints
    case tooManyPoints(Int)
    case noText
    case textTooLong(scalars: Int)
    case notAColour(String)
    case inkWidthOutOfRange(Int)
    case invalidRemarkPageSize(width: Double, height: Double)
    case invalidEventCursor(String)
    case messageWithoutVersion
    case messageOfOtherVersion(Int)
    case unknownMessage
    case unknownAct

    /// A sentence for the user: what is wrong, where, and what to do.
    public var sentence: String {
        switch self {
        case .notAnID(let text): "“\(text)” is no id; an id is a UUID of 36 characters."
        case .noName(let thing): "The \(thing.rawValue) has no name; write one."
        case .nameTooLong(let thing, let scalars):
            "The \(thing.rawValue)'s name has \(scalars) characters; shorten it to \(RoomLimits.longestName)."
        case .controlCharacter(let thing):
            "The \(thing.rawValue)'s name holds a line break or another control character; remove it."
        case .boxOutside(let left, let top, let right, let bottom):
            "The box \(left), \(top) … \(right), \(bottom) is not on its page; give its edges between 0 and 1, left "
                + "before right and top before bottom."
        case .invalidPageSize(let page, let width, let height):
            "Page \(page + 1) is \(width) by \(height) points, which no page is; give sizes between 1 and 100000."
        case .tooManyOf(let things, let count, let most):
            "There are \(count) \(things); at most \(most) are possible."
        case .noneOf(let things): "There are no \(things); give at least one."
        case .noSuchPage(let part, let page, let pages):
            "Part “\(part)” has a measure on page \(page + 1), but it has \(pages) pages; correct the page."
        case .noSuchLaidPage(let page, let pages):
            "The layout names page \(page == .max ? page : page + 1), but the part has \(pages) pages and at most "
                + "\(PartLayout.mostBlankPages) empty ones after them; correct the number."
        case .pageLaidTwice(let page):
            "The layout shows page \(page + 1) twice; a page has one place, so that remarks have one."
        case .turnOutOfRange(let turns):
            "A page cannot be turned \(turns) times; give 0, 1, 2 or 3 quarter turns."
        case .tiltOutOfRange(let degrees):
            "A page cannot be straightened by \(degrees) degrees; give an angle between -10 and 10."
        case .noSuchMovement(let part, let movement, let movements):
            "Part “\(part)” names movement \(movement + 1), but the score has \(movements); correct the number."
        case .markTooLong(let label, let scalars):
            "The rehearsal mark “\(label)” has \(scalars) characters; shorten it to \(RehearsalMark.longestLabel)."
        case .markOutside(let label, let measure):
            "The rehearsal mark “\(label)” names measure \(measure); give a number between "
                + "\(RoomLimits.measureNumberRange.lowerBound) and \(RoomLimits.measureNumberRange.upperBound)."
        case .measuresDescend(let part, let page, let first, let last):
            "Part “\(part)”, page \(page + 1): the place goes from measure \(first) to \(last); give the lower "
                + "first, and numbers between \(RoomLimits.measureNumberRange.lowerBound) and "
                + "\(RoomLimits.measureNumberRange.upperBound)."
        case .measuresOverlap(let part, let page, let measure, let before):
            "Part “\(part)”, page \(page + 1): measure \(measure) comes after measure \(before); numbers must rise, "
                + "and each measure has one place."
        case .measuresMissing(let part, let page, let from, let to):
            from == to
                ? "Part “\(part)”, before page \(page + 1)'s next place: measure \(from) has no place; mark it."
                : "Part “\(part)”, page \(page + 1): measures \(from) to \(to) have no place; mark them."
        case .pointOutside(let x, let y):
            "The point \(x), \(y) lies outside the page; coordinates go from 0 to \(PagePoint.unitsPerPage)."
        case .oddCoordinates(let count):
            "A line has \(count) coordinates; give an x and a y for each of its points."
        case .noPoints: "The line has no points; draw at least one."
        case .tooManyPoints(let count):
            "The line has \(count) points; draw it in several of at most \(RoomLimits.mostStrokePoints)."
        case .noText: "The text is empty; write something, or erase the remark."
        case .textTooLong(let scalars):
            "The text has \(scalars) characters; shorten it to \(RoomLimits.longestRemarkText)."
        case .notAColour(let text): "“\(text)” is no colour; write it as #rrggbb."
        case .inkWidthOutOfRange(let width):
            "An ink width of \(width) is not possible; give one between 1 and 1000 ten-thousandths of the page."
        case .invalidRemarkPageSize(let width, let height):
            "The remark says it was drawn on a page of \(width) by \(height), which no page is; give the page's own "
                + "width and height."
        case .invalidEventCursor(let text):
            "“\(text)” does not say what a stand has seen; write two sequence numbers such as 1204.1180."
        case .messageWithoutVersion: "The message bears no version; write \"v\":\(RoomMessage.version)."
        case .messageOfOtherVersion(let version):
            "The message is of version \(version), this server speaks version \(RoomMessage.version); reload the page."
        case .unknownMessage: "The message holds nothing this version knows; see the list of messages."
        case .unknownAct: "The event holds no act this version knows; see the list of acts."
        }
    }
}
