import Basics

/// Remarks of a score as a file that other programs can read and write: JSON with a version.
///
/// Ids of users do not leave the server in it; remarks get new ids when they come in.
public struct RemarkSet: Hashable, Sendable {
    public static let format = "baton-remarks"
    public static let version = 1

    /// The score from which the remarks come.
    public struct Source: Hashable, Sendable, Codable {
        public var id: String?
        public var title: String
        public var composer: String
        public var parts: [String]

        public init(id: String?, title: String, composer: String, parts: [String]) {
            self.id = id
            self.title = title
            self.composer = composer
            self.parts = parts
        }

        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            id = try fields.decodeIfPresent(String.self, forKey: .id)
            title = try fields.decodeIfPresent(String.self, forKey: .title) ?? ""
            composer = try fields.decodeIfPresent(String.self, forKey: .composer) ?? ""
            parts = try fields.decodeIfPresent([String].self, forKey: .parts) ?? []
        }
    }

    /// The printed measure at which a remark stands, for programs with another edition. Not read back.
    public struct Measure: Hashable, Sendable, Codable {
        public var movement: Int
        public var number: Int
    }

    /// A remark of the set, with its place.
    public struct Entry: Hashable, Sendable, Codable {
        public var part: Int
        public var page: Int
        public var measure: Measure?
        public var anchor: PagePoint
        public var shape: RemarkShape
        public var ink: Ink
        public var paper: RemarkPageSize?

        init(_ remark: Remark, measure: Measure?) {
            (part, page, anchor, shape) = (remark.part, remark.page, remark.anchor, remark.shape)
            (ink, paper, self.measure) = (remark.ink, remark.paper, measure)
        }

        /// Makes a remark of the entry.
        public func remark(id: Remark.ID, on layer: RemarkLayer.ID, by author: User.ID) -> Remark {
            Remark(
                id: id, layer: layer, author: author, part: part, page: page, anchor: anchor, shape: shape,
                ink: ink,
                paper: paper)
        }
    }

    public var name: String
    /// The name of the person who wrote the remarks; may be empty.
    public var by: String
    public var score: Source
    public var entries: [Entry]

    /// Makes a set of remarks, with their measures where these are known.
    public init(_ remarks: [Remark], of score: Score, name: String, by: String) {
        let transfer = RemarkTransfer(score)
        self.name = name
        self.by = by
        self.score = Source(
            id: score.id.description, title: score.title, composer: score.composer,
            parts: score.parts.map(\.name))
        entries = remarks.map { remark in
            let place = try? transfer.place(of: remark)
            return Entry(remark, measure: place.map { Measure(movement: $0.movement, number: $0.measure) })
        }
    }

    /// The reasons why a set cannot be taken into a score; each is a sentence that says which remark.
    /// - Returns: at most 20 sentences; empty if the set fits.
    public func faults(in score: Score) -> [String] {
        var found: [String] = []
        if entries.isEmpty { found.append("The set holds no remarks; choose another file.") }
        for (index, entry) in entries.enumerated() {
            guard found.count < 20 else { break }
            guard score.parts.indices.contains(entry.part) else {
                found.append(
                    "Remark \(index + 1) is on part \(entry.part &+ 1); this score has \(score.parts.count).")
                continue
            }
            let part = score.parts[entry.part]
            guard part.pages.indices.contains(entry.page) else {
                found.append(
                    "Remark \(index + 1) is on page \(entry.page &+ 1); “\(part.name)” has \(part.pages.count)."
                )
                continue
            }
        }
        return found
    }
}

extension RemarkSet: Codable {
    private enum CodingKeys: CodingKey { case format, version, name, by, score, remarks }

    /// Decodes a set.
    /// - Throws: ``RemarkSetFault`` that names the remark, or another error for what is no such JSON.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        guard try fields.decodeIfPresent(String.self, forKey: .format) == Self.format else {
            throw RemarkSetFault.otherFormat
        }
        let version = try fields.decodeIfPresent(Int.self, forKey: .version)
        guard version == Self.version else { throw RemarkSetFault.otherVersion(version) }
        do {
            name = try RoomLimits.validatedName(fields.decode(String.self, forKey: .name), of: .layer)
        } catch {
            throw RemarkSetFault.name((error as? RehearsalFault)?.sentence ?? "Give the set a name.")
        }
        by = try RoomLimits.validatedLine(fields.decodeIfPresent(String.self, forKey: .by) ?? "", of: .user)
        score =
            try fields.decodeIfPresent(Source.self, forKey: .score)
            ?? Source(id: nil, title: "", composer: "", parts: [])
        var list = try fields.nestedUnkeyedContainer(forKey: .remarks)
        entries = []
        while !list.isAtEnd {
            guard entries.count < ScoreRemarkLimits.mostRemarksInSet else { throw RemarkSetFault.tooMany }
            do { entries.append(try list.decode(Entry.self)) } catch {
                throw RemarkSetFault.remark(
                    entries.count + 1,
                    (error as? RehearsalFault)?.sentence ?? "it lacks a field, or one has a wrong value.")
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(Self.format, forKey: .format)
        try fields.encode(Self.version, forKey: .version)
        try fields.encode(name, forKey: .name)
        try fields.encode(by, forKey: .by)
        try fields.encode(score, forKey: .score)
        try fields.encode(entries, forKey: .remarks)
    }
}

/// The reason why a file is no set of remarks.
public enum RemarkSetFault: Explained, Hashable, Sendable {
    case otherFormat
    case otherVersion(Int?)
    case name(String)
    case tooMany
    /// A remark, counted from 1, with a sentence.
    case remark(Int, String)

    public var sentence: String {
        switch self {
        case .otherFormat:
            "This is no set of remarks: its “format” is not “\(RemarkSet.format)”. Choose a file that a stand exported."
        case .otherVersion(let version):
            "The set is of version \(version.map(String.init) ?? "none"); this server reads version "
                + "\(RemarkSet.version)."
        case .name(let sentence): sentence
        case .tooMany:
            "The set holds more than \(ScoreRemarkLimits.mostRemarksInSet) remarks; divide it."
        case .remark(let number, let sentence): "Remark \(number): \(sentence)"
        }
    }
}
