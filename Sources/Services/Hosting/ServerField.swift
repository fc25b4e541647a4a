/// This server, as its console shows it.
struct ServerField: Encodable {
    /// The other server of a pair.
    struct Other: Encodable {
        var connected: Bool
        var lagMs: Int64
        var version: String
        var sameShow: Bool
        /// Where its console is reached, such as `http://192.168.1.10:8080`; nil where nobody knows.
        @OrNull var address: String?
    }

    var role: String
    var term: UInt32
    var version: String
    /// Nil for a server alone.
    @OrNull var backup: Other?
}
