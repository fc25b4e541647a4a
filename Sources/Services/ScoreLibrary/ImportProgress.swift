import Rehearsal

/// Progress of the import of a score.
struct ImportProgress: Equatable, Sendable, Encodable {
    enum State: String, Sendable, Encodable {
        case waiting, engraving, ready, failed
    }

    var state: State
    /// `done` of `of` parts have been engraved; for a PDF, `done` of `of` pages.
    var done = 0
    var of = 0
    /// Error sentence of a failed import.
    var sentence: String?
}

/// Progress of the newest imports; entries beyond `most` are dropped.
struct ImportLog: Sendable {
    static let most = 500

    private var progress: [Rehearsal.Score.ID: ImportProgress] = [:]
    /// Ids in the order of their first entry, oldest first.
    private var order: [Rehearsal.Score.ID] = []

    var count: Int { progress.count }

    subscript(_ id: Rehearsal.Score.ID) -> ImportProgress? { progress[id] }

    mutating func record(_ news: ImportProgress, of id: Rehearsal.Score.ID) {
        if progress.updateValue(news, forKey: id) == nil { order.append(id) }
        if order.count > Self.most { progress[order.removeFirst()] = nil }
    }

    package mutating func forget(_ id: Rehearsal.Score.ID) {
        guard progress.removeValue(forKey: id) != nil else { return }
        order.removeAll { $0 == id }
    }
}
