import Concert

/// The cues of one piece in the order of their measures.
public struct CueList: Hashable, Sendable {
    public static let maximumCount = 1_000
    public static let maximumTextBytes = 2_000

    /// The cues, ordered by played measure; cues of one measure keep the order in which they were given.
    public let cues: [Cue]

    /// Creates an empty list.
    public init() { cues = [] }

    /// Sorts the cues, gives ids to those without one, and checks each.
    /// - Parameters:
    ///   - measureCount: number of played measures of the piece.
    ///   - old: the list that this one replaces. A cue without an id takes the id of an old cue with the same name
    ///     at the same measure, so that an import during a show fires nothing twice.
    /// - Throws: ``CueFault`` naming the first cue that breaks a rule.
    /// - Complexity: O(cues log cues).
    public init(_ cues: [Cue], measureCount: Int, replacing old: CueList = CueList()) throws(CueFault) {
        guard cues.count <= Self.maximumCount else { throw .tooManyCues(cues.count) }
        for cue in cues { try cue.check(measureCount: measureCount) }
        let given = cues.map(\.id).filter { !$0.isEmpty }
        var taken = Set(given)
        guard taken.count == given.count else {
            throw .sameIDTwice(given.first { id in given.count { $0 == id } > 1 } ?? "")
        }
        var known = old.cues.filter { !taken.contains($0.id) }
        var next = 1
        var named: [Cue] = []
        for var cue in cues {
            if cue.id.isEmpty {
                if let match = known.firstIndex(where: { $0.name == cue.name && $0.played == cue.played }) {
                    cue.id = known.remove(at: match).id
                } else {
                    let oldIDs = old.cues.map(\.id)
                    while taken.contains("c\(next)") || oldIDs.contains("c\(next)") { next += 1 }
                    cue.id = "c\(next)"
                }
                taken.insert(cue.id)
            }
            named.append(cue)
        }
        self.cues = named.enumerated().sorted {
            ($0.element.played, $0.offset) < ($1.element.played, $1.offset)
        }
        .map(\.element)
    }

    public subscript(id: Cue.ID) -> Cue? { cues.first { $0.id == id } }

    /// The index of a cue in the list; nil if no cue has that id.
    public func index(of id: Cue.ID) -> Int? { cues.firstIndex { $0.id == id } }

    /// The cue that a person names: by its id, by its name, or by the number in an id such as `c7`.
    /// - Throws: ``CommandRefusal`` if there is none, or if several have that name.
    func findCue(named words: String) throws(CommandRefusal) -> Cue {
        if let cue = self[words] { return cue }
        let named = cues.filter { $0.name.lowercased() == words.lowercased() }
        guard named.count < 2 else { throw .severalCues(named: words, ids: named.map(\.id)) }
        guard let cue = named.first ?? (Int(words) == nil ? nil : self["c" + words]) else {
            throw .unknownCue(words)
        }
        return cue
    }
}

extension CueList: Codable {
    public init(from decoder: any Decoder) throws {
        let cues = try decoder.singleValueContainer().decode([Cue].self)
        // The piece checks which measures exist.
        try self.init(cues, measureCount: .max)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(cues)
    }
}

extension Cue {
    func check(measureCount: Int) throws(CueFault) {
        guard !name.isEmpty else { throw .noName(place: place.description) }
        for text in [id, name, notes, target, payload] where text.utf8.count > CueList.maximumTextBytes {
            throw .textTooLong(cue: String(name.prefix(40)), bytes: text.utf8.count)
        }
        guard played >= 0, played < measureCount else { throw .noSuchMeasure(cue: name, played: played) }
        guard Self.allowedEarlinessMilliseconds.contains(earlinessMilliseconds) else {
            throw .earlinessOutOfRange(cue: name, milliseconds: earlinessMilliseconds)
        }
        guard kind != .slide || earlinessMilliseconds == 0 else { throw .slideWithEarliness(cue: name) }
        switch kind {
        case .message: _ = try decodePushMessage()
        case .osc:
            guard payload.utf8.first == UInt8(ascii: "/") else { throw .noAddress(cue: name) }
        case .mqtt:
            guard !target.isEmpty else { throw .noTopic(cue: name) }
        case .note, .slide, .midi: break
        }
    }

    /// The message that a cue sends. Its payload is `title|body`, `title|body|style` or `title|body|style|button`.
    public func decodePushMessage() throws(CueFault) -> PushMessage {
        let fields = payload.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard (2...4).contains(fields.count) else {
            throw .wrongMessageFieldCount(cue: name, found: fields.count)
        }
        let spelling = fields.count > 2 && !fields[2].isEmpty ? fields[2] : PushStyle.auto.spelling
        guard let style = PushStyle(spelling: spelling) else {
            throw .unknownMessageStyle(cue: name, style: spelling)
        }
        do {
            return try PushMessage(
                title: fields[0], body: fields[1], style: style, buttonText: fields.count > 3 ? fields[3] : ""
            )
        } catch {
            throw .invalidMessage(cue: name, error)
        }
    }
}
