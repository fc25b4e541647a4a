/// Why an edit was refused before it was made.
package struct ContentRefusal: Error, Equatable {
    package var code: String
    package var sentence: String

    package init(code: String, sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}
