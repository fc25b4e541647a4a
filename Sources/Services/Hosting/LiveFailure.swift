/// Why a live run cannot begin or go on: what is wrong, where, what to do.
package struct LiveFailure: Error, Equatable {
    package var sentence: String

    package init(sentence: String) {
        self.sentence = sentence
    }
}
