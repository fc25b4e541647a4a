import Basics

/// An annotation on a page, which belongs to a layer. Only its author can change it.
public struct Remark: Hashable, Sendable, Codable, Identifiable, KeyedElement {
    public typealias ID = ObjectID<Remark>

    public let id: ID
    public let layer: RemarkLayer.ID
    /// The score on whose page it is; nil for the one with which the room was made.
    public internal(set) var score: Score.ID?
    public let author: User.ID
    /// The part, as an index into ``Score/parts``.
    public let part: Int
    /// The page, as an index into ``Part/pages``.
    public var page: Int
    /// The position of the remark: the first point of its stroke, the upper left corner of a text, the centre of a
    /// stamp.
    public var anchor: PagePoint
    public var shape: RemarkShape
    public var ink: Ink
    /// The page's size on the author's stand when the remark was drawn; nil for remarks from older stands. If these
    /// proportions differ from those of the page, the remark may not be where the pen was.
    public var paper: RemarkPageSize?
    /// The parts in which it is shown; nil for its own part alone.
    public var parts: RemarkParts?
    /// The session in which it was written for everybody; nil in a room, where its layer says so, and on other layers.
    public var session: RehearsalSession.ID?

    public init(
        id: ID, layer: RemarkLayer.ID, author: User.ID, part: Int, page: Int, anchor: PagePoint,
        shape: RemarkShape,
        ink: Ink = Ink(), paper: RemarkPageSize? = nil, score: Score.ID? = nil, parts: RemarkParts? = nil,
        session: RehearsalSession.ID? = nil
    ) {
        self.id = id
        self.layer = layer
        self.author = author
        self.part = part
        self.page = page
        self.anchor = anchor
        self.shape = shape
        self.ink = ink
        self.paper = paper
        self.score = score
        self.parts = parts
        self.session = session
    }

    /// The same remark on another layer, or of another score or session.
    public func moved(to layer: RemarkLayer.ID, of score: Score.ID?, session: RehearsalSession.ID?) -> Remark
    {
        Remark(
            id: id, layer: layer, author: author, part: part, page: page, anchor: anchor, shape: shape,
            ink: ink,
            paper: paper, score: score, parts: parts, session: session)
    }
}

/// The parts in which a remark is shown.
public enum RemarkParts: String, Hashable, Sendable, Codable, CaseIterable {
    /// The part in which it was written.
    case own
    /// All parts of its layer, at the same measure; see ``RemarkTransfer``.
    case all
}

/// The width and height of a page, in any unit, as a stand knew them when a remark was drawn.
public struct RemarkPageSize: Hashable, Sendable {
    public let width: Double
    public let height: Double

    /// Creates a page size.
    /// - Throws: ``RehearsalFault/invalidRemarkPageSize(width:height:)`` for a size that pages cannot have.
    public init(width: Double, height: Double) throws(RehearsalFault) {
        guard (1...100_000).contains(width), (1...100_000).contains(height) else {
            throw .invalidRemarkPageSize(width: width, height: height)
        }
        self.width = width
        self.height = height
    }
}

/// A page size is encoded as the JSON array `[width, height]`.
extension RemarkPageSize: Codable {
    public init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        try self.init(width: pair.decode(Double.self), height: pair.decode(Double.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var pair = encoder.unkeyedContainer()
        try pair.encode(width)
        try pair.encode(height)
    }
}

/// The kind of a remark, with its content.
public enum RemarkShape: Hashable, Sendable {
    /// A broad, transparent line in any direction.
    case highlight(Stroke)
    /// A freehand line.
    case line(Stroke)
    case text(RemarkText)
    case stamp(MusicalStamp)
}

/// The text of a remark; it may contain line breaks.
public struct RemarkText: Hashable, Sendable {
    public let text: String

    /// Creates the text of a remark.
    /// - Throws: ``RehearsalFault`` for a text that is empty or too long.
    public init(_ text: String) throws(RehearsalFault) {
        let text = NameRule.cleanedText(text)
        guard text.contains(where: { !$0.isWhitespace }) else { throw .noText }
        let length = text.unicodeScalars.count
        guard length <= RoomLimits.longestRemarkText else { throw .textTooLong(scalars: length) }
        self.text = text
    }
}

extension RemarkText: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A musical sign that is placed with one tap.
public enum MusicalStamp: String, Hashable, Sendable, Codable, CaseIterable {
    case downBow = "down-bow"
    case upBow = "up-bow"
    case slur
    case pizzicato
    case arco
    case mute
    case breath
    case caesura
    case fermata
    case accent
    case staccato
    case tenuto
    case marcato
    case trill
    case pianissimo = "pp"
    case piano = "p"
    case mezzopiano = "mp"
    case mezzoforte = "mf"
    case forte = "f"
    case fortissimo = "ff"
    case sforzato = "sfz"
    case crescendo
    case diminuendo
    case sharp
    case flat
    case natural
    /// A pair of glasses, which reminds the player to watch the conductor.
    case glasses
    /// A warning sign, which reminds the player to count carefully or to turn quickly.
    case attention
}

/// The colour and line width of a remark.
public struct Ink: Hashable, Sendable {
    /// The colour as `#rrggbb` in lower case.
    public let colour: String
    /// The width of the line in ten-thousandths of the page's width, 1…1000; for texts and stamps, the height of a
    /// line.
    public let width: Int

    public init() {
        colour = "#1a4fd6"
        width = 30
    }

    /// Creates the colour and width of a remark.
    /// - Throws: ``RehearsalFault`` for an invalid colour, or a width out of range.
    public init(colour: String, width: Int) throws(RehearsalFault) {
        let small = colour.lowercased()
        let isColour =
            small.utf8.count == 7 && small.utf8.first == UInt8(ascii: "#")
            && small.utf8.dropFirst().allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
        guard isColour else { throw .notAColour(String(colour.prefix(20))) }
        guard (1...1_000).contains(width) else { throw .inkWidthOutOfRange(width) }
        self.colour = small
        self.width = width
    }
}

extension Ink: Codable {
    private enum CodingKeys: CodingKey { case colour, width }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            colour: fields.decode(String.self, forKey: .colour),
            width: fields.decode(Int.self, forKey: .width))
    }
}

/// A shape is encoded as a JSON object with one field named after its kind.
extension RemarkShape: Codable {
    private enum CodingKeys: CodingKey { case highlight, line, text, stamp }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        if fields.contains(.highlight) {
            self = .highlight(try fields.decode(Stroke.self, forKey: .highlight))
        } else if fields.contains(.line) {
            self = .line(try fields.decode(Stroke.self, forKey: .line))
        } else if fields.contains(.text) {
            self = .text(try fields.decode(RemarkText.self, forKey: .text))
        } else if fields.contains(.stamp) {
            self = .stamp(try fields.decode(MusicalStamp.self, forKey: .stamp))
        } else {
            throw RehearsalFault.unknownAct
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .highlight(let stroke): try fields.encode(stroke, forKey: .highlight)
        case .line(let stroke): try fields.encode(stroke, forKey: .line)
        case .text(let text): try fields.encode(text, forKey: .text)
        case .stamp(let stamp): try fields.encode(stamp, forKey: .stamp)
        }
    }
}

/// An author's changes to a remark; nil leaves a field unchanged. Of several edits the later one wins, field by
/// field.
public struct RemarkEdit: Hashable, Sendable, Codable {
    public let remark: Remark.ID
    public var page: Int?
    public var anchor: PagePoint?
    public var shape: RemarkShape?
    public var ink: Ink?
    public var paper: RemarkPageSize?
    public var parts: RemarkParts?

    public init(
        _ remark: Remark.ID, page: Int? = nil, anchor: PagePoint? = nil, shape: RemarkShape? = nil,
        ink: Ink? = nil, paper: RemarkPageSize? = nil, parts: RemarkParts? = nil
    ) {
        self.remark = remark
        self.page = page
        self.anchor = anchor
        self.shape = shape
        self.ink = ink
        self.paper = paper
        self.parts = parts
    }

    /// The edit that makes one remark the other; layer, author and part are the same.
    public init(from old: Remark, to new: Remark) {
        self.init(
            new.id, page: new.page == old.page ? nil : new.page,
            anchor: new.anchor == old.anchor ? nil : new.anchor,
            shape: new.shape == old.shape ? nil : new.shape,
            ink: new.ink == old.ink ? nil : new.ink, paper: new.paper == old.paper ? nil : new.paper,
            parts: new.parts == old.parts ? nil : new.parts ?? .own)
    }

    func apply(to remark: inout Remark) {
        if let page { remark.page = page }
        if let anchor { remark.anchor = anchor }
        if let shape { remark.shape = shape }
        if let ink { remark.ink = ink }
        if let paper { remark.paper = paper }
        if let parts { remark.parts = parts == .own ? nil : parts }
    }
}
