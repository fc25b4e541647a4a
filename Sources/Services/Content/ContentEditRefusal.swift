import Explanations

/// The reason why an edit is refused before it reaches the catalogue.
package struct ContentEditRefusal: Explained, Equatable {
    package var code: String
    package var sentence: String

    package init(code: String, sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}
