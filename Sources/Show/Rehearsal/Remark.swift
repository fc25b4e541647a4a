/// A mark on a page, on a layer. Only its author changes it.
public struct Remark: Hashable, Sendable, Codable, Identifiable, Listed {
    public typealias ID = ObjectID<Remark>

    public let id: ID
    public let layer: Layer.ID
    public let author: User.ID
    /// Index into ``Score/parts``.
    public let part: Int
    /// Index into ``Part/pages``.
    public var page: Int
    /// Where it stands: the point its stroke starts from, a text's upper left, a stamp's middle.
    public var anchor: PagePoint
    public var shape: RemarkShape
    public var ink: Ink
    /// The page it was drawn on, as its author's stand laid it out; nil for remarks of older stands. Where its
    /// proportions are not the page's, the remark may not stand where the pen was.
    public var paper: RemarkPaper?

    public init(
        id: ID, layer: Layer.ID, author: User.ID, part: Int, page: Int, anchor: PagePoint, shape: RemarkShape,
        ink: Ink = Ink(), paper: RemarkPaper? = nil
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
    }
}

/// Width and height of a page as a stand knew it while a remark was drawn, in any unit.
public struct RemarkPaper: Hashable, Sendable {
    public let width: Double
    public let height: Double

    /// - Throws: ``RehearsalFault/remarkPaper(width:height:)`` for a size that no page has.
    public init(width: Double, height: Double) throws(RehearsalFault) {
        guard (1...100_000).contains(width), (1...100_000).contains(height) else {
            throw .remarkPaper(width: width, height: height)
        }
        self.width = width
        self.height = height
    }
}

/// Written as `[width, height]`.
extension RemarkPaper: Codable {
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

/// What a remark looks like.
public enum RemarkShape: Hashable, Sendable {
    /// A broad, see-through line, in any direction.
    case highlight(Stroke)
    /// A free line.
    case line(Stroke)
    case text(RemarkText)
    case stamp(Stamp)
}

/// The words of a text remark; line breaks are welcome.
public struct RemarkText: Hashable, Sendable {
    public let text: String

    /// - Throws: ``RehearsalFault`` for an empty text or one that is too long.
    public init(_ text: String) throws(RehearsalFault) {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .noText }
        let length = text.unicodeScalars.count
        guard length <= RoomLimits.longestText else { throw .textTooLong(scalars: length) }
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

/// A sign that is put with one tap.
public enum Stamp: String, Hashable, Sendable, Codable, CaseIterable {
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
    /// Look up: watch the conductor.
    case glasses
    /// Count, or turn quickly.
    case attention
}

/// Colour and width of what is drawn.
public struct Ink: Hashable, Sendable {
    /// `#rrggbb` in small letters.
    public let colour: String
    /// In ten-thousandths of the page's width, 1…1000; of a text and a stamp the height of a line.
    public let width: Int

    public init() {
        colour = "#1a4fd6"
        width = 30
    }

    /// - Throws: ``RehearsalFault`` for a colour that is none, and for a width out of range.
    public init(colour: String, width: Int) throws(RehearsalFault) {
        let small = colour.lowercased()
        let isColour =
            small.utf8.count == 7 && small.utf8.first == UInt8(ascii: "#")
            && small.utf8.dropFirst().allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
        guard isColour else { throw .notAColour(String(colour.prefix(20))) }
        guard (1...1_000).contains(width) else { throw .inkWidth(width) }
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

/// One field, named after the kind.
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
            self = .stamp(try fields.decode(Stamp.self, forKey: .stamp))
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

/// What an author changes of a remark; what is nil stays. Of several edits the later wins, field by field.
public struct RemarkEdit: Hashable, Sendable, Codable {
    public let remark: Remark.ID
    public var page: Int?
    public var anchor: PagePoint?
    public var shape: RemarkShape?
    public var ink: Ink?
    public var paper: RemarkPaper?

    public init(
        _ remark: Remark.ID, page: Int? = nil, anchor: PagePoint? = nil, shape: RemarkShape? = nil,
        ink: Ink? = nil, paper: RemarkPaper? = nil
    ) {
        self.remark = remark
        self.page = page
        self.anchor = anchor
        self.shape = shape
        self.ink = ink
        self.paper = paper
    }

    func apply(to remark: inout Remark) {
        if let page { remark.page = page }
        if let anchor { remark.anchor = anchor }
        if let shape { remark.shape = shape }
        if let ink { remark.ink = ink }
        if let paper { remark.paper = paper }
    }

    /// The edit that takes this one back, given the remark before it.
    func inverse(for before: Remark) -> RemarkEdit {
        RemarkEdit(
            remark, page: page.map { _ in before.page }, anchor: anchor.map { _ in before.anchor },
            shape: shape.map { _ in before.shape }, ink: ink.map { _ in before.ink },
            paper: paper.flatMap { _ in before.paper })
    }
}
