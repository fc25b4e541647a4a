/// Why a live run cannot begin or go on: what is wrong, where, what to do.
struct LiveFailure: Error, Equatable {
    var sentence: String
}
