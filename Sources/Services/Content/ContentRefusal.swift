/// Why an edit was refused before it was made.
struct ContentRefusal: Error, Equatable {
    var code: String
    var sentence: String
}
