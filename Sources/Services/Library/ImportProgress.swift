import Rehearsal

/// How far the import of a score has come.
struct ImportProgress: Equatable, Sendable, Encodable {
    enum State: String, Sendable, Encodable {
        case waiting, engraving, ready, failed
    }

    var state: State
    /// Parts engraved, of how many; pages of a PDF.
    var done = 0
    var of = 0
    /// Why it failed.
    var sentence: String?
}

/// The newest imports; older ones are forgotten.
struct ImportLog: Sendable {
    static let most = 500

    private var progress: [Rehearsal.Score.ID: ImportProgress] = [:]
    /// Oldest first, each once.
    private var order: [Rehearsal.Score.ID] = []

    var count: Int { progress.count }

    subscript(_ id: Rehearsal.Score.ID) -> ImportProgress? { progress[id] }

    mutating func note(_ news: ImportProgress, of id: Rehearsal.Score.ID) {
        if progress.updateValue(news, forKey: id) == nil { order.append(id) }
        if order.count > Self.most { progress[order.removeFirst()] = nil }
    }

    mutating func forget(_ id: Rehearsal.Score.ID) {
        guard progress.removeValue(forKey: id) != nil else { return }
        order.removeAll { $0 == id }
    }
}
