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
