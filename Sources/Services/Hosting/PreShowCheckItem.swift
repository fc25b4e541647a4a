import Podium

/// The result of one item of the pre-show check.
package struct PreShowCheckVerdict: Equatable, Sendable {
    package enum Kind: String, Sendable { case pass, fail, warn, skipped }

    package var kind: Kind
    /// The finding and, unless the item passed, what to do about it.
    package var sentence: String

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

/// One item of the pre-show check that a service contributes.
package struct PreShowCheckItem: Sendable {
    package var id: String
    /// The item's title on the console.
    package var title: String
    package var performCheck: @Sendable (ShowProgramme) async -> PreShowCheckVerdict

    package init(
        id: String, title: String,
        performCheck: @escaping @Sendable (ShowProgramme) async -> PreShowCheckVerdict
    ) {
        self.id = id
        self.title = title
        self.performCheck = performCheck
    }
}

/// A technical fault that a service watches for. The server checks for it four times a second during the show.
package struct WatchedFault: Sendable {
    package var id: String
    /// Looks for the fault.
    /// - Returns: a sentence that says what is wrong and what to do; nil if all is well.
    package var findFault: @Sendable (ShowEngineSnapshot) -> String?

    package init(id: String, findFault: @escaping @Sendable (ShowEngineSnapshot) -> String?) {
        self.id = id
        self.findFault = findFault
    }
}
