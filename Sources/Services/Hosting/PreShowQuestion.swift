import Podium

/// What came of one item of the check before a show.
package struct CheckVerdict: Equatable, Sendable {
    package enum Kind: String, Sendable { case pass, fail, warn, skipped }

    package var kind: Kind
    /// What is so; where it is not as it should be, what to do.
    package var sentence: String

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

/// One item of the check before a show that a service answers.
package struct PreShowQuestion: Sendable {
    package var id: String
    /// On the console.
    package var title: String
    package var answer: @Sendable (ShowProgramme) async -> CheckVerdict

    package init(id: String, title: String, answer: @escaping @Sendable (ShowProgramme) async -> CheckVerdict)
    {
        self.id = id
        self.title = title
        self.answer = answer
    }
}

/// Something that may be wrong around the music, looked at four times a second.
package struct WatchedFault: Sendable {
    package var id: String
    /// - Returns: what is wrong and what to do; nil while all is well.
    package var look: @Sendable (DeskPicture) -> String?

    package init(id: String, look: @escaping @Sendable (DeskPicture) -> String?) {
        self.id = id
        self.look = look
    }
}
