import Rehearsal

/// Progress of importing one score.
struct ImportProgress: Equatable, Sendable, Encodable {
    enum State: String, Sendable, Encodable {
        case waiting, engraving, ready, failed
    }

    var state: State
    /// Number of parts engraved so far, out of `of` parts; for a PDF, number of pages.
    var done = 0
    var of = 0
    /// The error, as a sentence, if the import has failed; otherwise nil.
    var sentence: String?
}

/// Progress of the newest imports, at most `mostEntries` of them. Older entries are dropped.
struct ImportLog: Sendable {
    static let mostEntries = 500

    private var progressByScore: [Rehearsal.Score.ID: ImportProgress] = [:]
    /// Ids of the scores in the order of their first entry, oldest first.
    private var scoreOrder: [Rehearsal.Score.ID] = []

    var count: Int { progressByScore.count }

    subscript(_ id: Rehearsal.Score.ID) -> ImportProgress? { progressByScore[id] }

    mutating func record(_ news: ImportProgress, of id: Rehearsal.Score.ID) {
        if progressByScore.updateValue(news, forKey: id) == nil { scoreOrder.append(id) }
        if scoreOrder.count > Self.mostEntries { progressByScore[scoreOrder.removeFirst()] = nil }
    }

    package mutating func removeEntry(_ id: Rehearsal.Score.ID) {
        guard progressByScore.removeValue(forKey: id) != nil else { return }
        scoreOrder.removeAll { $0 == id }
    }
}
