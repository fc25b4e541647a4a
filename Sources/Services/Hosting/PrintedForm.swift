/// The key in which a part is printed, and whether it has margins.
package struct PrintedForm: Equatable, Sendable {
    /// By how much the reader has the part written higher, such as `m2`; nil for as it is.
    package var interval: String?
    /// True if the margins are left out, so that the music fills the paper as it fills a stand.
    package var isCropped: Bool

    package init(interval: String? = nil, isCropped: Bool = false) {
        self.interval = interval
        self.isCropped = isCropped
    }

    /// Reads `written=INTERVAL` and `margins=0` of a request.
    package init(query: [String: String]) {
        self.init(interval: query["written"], isCropped: query["margins"] == "0")
    }
}
