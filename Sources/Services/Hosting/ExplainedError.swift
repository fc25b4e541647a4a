/// An error that stops a live run, or prevents its start. Its sentence says what is wrong, where, and what to do.
package struct ExplainedError: Error, Equatable {
    package var sentence: String

    package init(sentence: String) {
        self.sentence = sentence
    }
}
