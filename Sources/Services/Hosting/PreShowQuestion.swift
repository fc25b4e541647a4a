import Podium

/// What came of one item of the check before a show.
struct CheckVerdict: Equatable, Sendable {
    enum Kind: String, Sendable { case pass, fail, warn, skipped }

    var kind: Kind
    /// What is so; where it is not as it should be, what to do.
    var sentence: String

    init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

/// One item of the check before a show that a service answers.
struct PreShowQuestion: Sendable {
    var id: String
    /// On the console.
    var title: String
    var answer: @Sendable (ShowCourse) async -> CheckVerdict
}

/// Something that may be wrong around the music, looked at four times a second.
struct WatchedFault: Sendable {
    var id: String
    /// - Returns: what is wrong and what to do; nil while all is well.
    var look: @Sendable (DeskPicture) -> String?
}
