/// Why a model could not be made: sentences that say what is wrong, where, and what to do.
struct PrepareFailure: Error, Equatable {
    var sentences: [String]

    init(_ sentence: String) { sentences = [sentence] }

    init(_ sentences: [String]) { self.sentences = sentences }
}
