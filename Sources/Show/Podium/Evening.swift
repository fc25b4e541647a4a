import Basics
import Concert

/// One evening: what it is, and what people call it. Its pieces are the ``ShowProgramme`` that has it.
public struct Evening: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case concert, rehearsal
        case tryOut = "try-out"

        /// The kind as people read it.
        public var word: String {
            switch self {
            case .concert: "Concert"
            case .rehearsal: "Rehearsal"
            case .tryOut: "Try-out"
            }
        }
    }

    public let kind: Kind
    public let title: String
    /// The day for which it is planned, `YYYY-MM-DD`; nil if nobody said. The diary has the day of the music.
    public let date: String?
    public let place: String?
    /// Conductor, soloists and whoever else performs; without portraits.
    public let people: [Performer]
    /// The number of pieces at the end of the programme that are encores: nobody is told of one before it is played.
    public let encores: Int
    /// The id under which the evening was planned; nil if it was not.
    public var plan: String?

    /// - Parameter title: as it is shown; one line.
    public init(
        _ title: String, kind: Kind = .concert, date: String? = nil, place: String? = nil,
        people: [Performer] = [], encores: Int = 0, plan: String? = nil
    ) {
        (self.kind, self.title, self.date, self.place, self.people) = (kind, title, date, place, people)
        (self.encores, self.plan) = (encores, plan)
    }

    /// An evening of which nobody has said anything yet.
    public static let unnamed = Evening("Tonight")

    /// The name under which it is recorded, reported and entered into the diary: the title, which in a rehearsal and a
    /// try-out begins with the kind, unless it names that itself.
    public var name: String {
        guard kind != .concert, !title.lowercased().contains(kind.word.lowercased()) else { return title }
        return "\(kind.word): \(title)"
    }

    /// The people as they are written, such as `Anna Berg, violin`, one on each line.
    public var peopleText: String { people.map(\.editorLine).joined(separator: "\n") }
}

extension Evening {
    /// The fields of an evening that a person sets; nil leaves a field as it is, an empty text removes it.
    public struct Fields: Hashable, Sendable, Codable {
        public var kind, title, date, place: String?
        /// As ``Evening/peopleText``.
        public var people: String?
        /// See ``Evening/encores``.
        public var encores: Int?

        public init(
            kind: String? = nil, title: String? = nil, date: String? = nil, place: String? = nil,
            people: String? = nil, encores: Int? = nil
        ) {
            (self.kind, self.title, self.date, self.place, self.people) = (kind, title, date, place, people)
            self.encores = encores
        }

        public init(_ evening: Evening) {
            self.init(
                kind: evening.kind.rawValue, title: evening.title, date: evening.date ?? "",
                place: evening.place ?? "", people: evening.peopleText, encores: evening.encores)
        }
    }

    /// Returns the evening with what a person says about it. Without a title, it has the name of its kind.
    /// - Throws: ``EveningFault`` with a sentence, if a field is wrong.
    public func changed(by fields: Fields) throws(EveningFault) -> Evening {
        let kind = try fields.kind.map { word throws(EveningFault) in
            guard let kind = Kind(rawValue: word) else { throw .unknownKind(word) }
            return kind
        }
        let title = fields.title ?? title
        let (date, place) = (fields.date ?? date ?? "", fields.place ?? place ?? "")
        for (name, text) in [("title", title), ("place", place)] {
            guard text.utf8.count <= Self.mostBytes,
                !text.unicodeScalars.contains(where: \.isControlOrLineBreak)
            else {
                throw .notOneLine(name)
            }
        }
        guard date.isEmpty || Self.isDate(date) else { throw .noDate(date) }
        return Evening(
            title.isEmpty ? (kind ?? self.kind).word : title, kind: kind ?? self.kind,
            date: date.isEmpty ? nil : date, place: place.isEmpty ? nil : place,
            people: try fields.people.map(Self.people) ?? people,
            encores: min(max(fields.encores ?? encores, 0), ShowProgramme.mostPieces), plan: plan)
    }

    private static func people(_ text: String) throws(EveningFault) -> [Performer] {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count <= mostPeople, lines.allSatisfy({ $0.utf8.count <= mostBytes }) else {
            throw .tooManyPeople
        }
        return lines.compactMap { Performer(line: String($0)) }.map {
            Performer(name: $0.name, role: $0.role)
        }
    }

    private static let mostBytes = 200
    private static let mostPeople = 60

    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            text.utf8.allSatisfy({ $0 == 45 || (48...57).contains($0) }),
            let month = Int(parts[1]), let day = Int(parts[2])
        else { return false }
        return (1...12).contains(month) && (1...31).contains(day)
    }
}

/// The first mistake in what a person says about an evening.
public enum EveningFault: Explained, Hashable, Sendable {
    case unknownKind(String)
    case notOneLine(String)
    case noDate(String)
    case tooManyPeople

    public var sentence: String {
        switch self {
        case .unknownKind(let word):
            "“\(word.prefix(40))” is no kind of evening; choose concert, rehearsal or try-out."
        case .notOneLine(let name):
            "A \(name) is one line of at most 200 bytes, none of them a control character."
        case .tooManyPeople:
            "An evening has at most 60 people, each on a line of at most 200 bytes, such as Anna Berg, violin."
        case .noDate(let text): "“\(text.prefix(40))” is no date; write it as 2026-11-29."
        }
    }
}

/// An evening is encoded without what nobody said, so that logs and files of concerts stay as before there were kinds.
extension Evening: Codable {
    private enum CodingKeys: CodingKey { case title, kind, date, place, people, encores, plan }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decode(String.self, forKey: .title),
            kind: try fields.decodeIfPresent(Kind.self, forKey: .kind) ?? .concert,
            date: try fields.decodeIfPresent(String.self, forKey: .date),
            place: try fields.decodeIfPresent(String.self, forKey: .place),
            people: try fields.decodeIfPresent([Performer].self, forKey: .people) ?? [],
            encores: try fields.decodeIfPresent(Int.self, forKey: .encores) ?? 0,
            plan: try fields.decodeIfPresent(String.self, forKey: .plan))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(title, forKey: .title)
        if kind != .concert { try fields.encode(kind, forKey: .kind) }
        try fields.encodeIfPresent(date, forKey: .date)
        try fields.encodeIfPresent(place, forKey: .place)
        if !people.isEmpty { try fields.encode(people, forKey: .people) }
        if encores > 0 { try fields.encode(encores, forKey: .encores) }
        try fields.encodeIfPresent(plan, forKey: .plan)
    }
}

extension Podium {
    /// True while music is played in rehearsal mode, and the evening is a rehearsal or a try-out: no listener sees it,
    /// and the report and the diary have it.
    public var isMusicRehearsed: Bool {
        course.evening.kind != .concert && state.isRehearsal && state.check == nil
            && [.following, .coasting, .manual].contains(state.mode)
    }
}

extension PodiumState {
    /// False as long as nothing can have been played in the evening yet.
    public var mayHavePlayed: Bool { isRehearsal || heard != nil || hasBeenLive == true }

    /// True while the current piece has not begun.
    public var awaitsPiece: Bool { mode == .waiting }
}
