/// This server's role and version, as the console shows them.
package struct ServerJSON: Encodable {
    /// The other server of a main and backup pair, as the console shows it.
    package struct OtherServer: Encodable {
        package var connected: Bool
        package var lagMs: Int64
        package var version: String
        package var sameShow: Bool
        /// The address of the other server's console, such as `http://192.168.1.10:8080`; nil if unknown.
        @OrNull package var address: String?

        package init(connected: Bool, lagMs: Int64, version: String, sameShow: Bool, address: String? = nil) {
            self.connected = connected
            self.lagMs = lagMs
            self.version = version
            self.sameShow = sameShow
            self.address = address
        }
    }

    package var role: String
    package var term: UInt32
    package var version: String
    /// The other server; nil if this one runs alone.
    @OrNull package var otherServer: OtherServer?

    private enum CodingKeys: String, CodingKey {
        case role, term, version
        case otherServer = "backup"
    }

    package init(role: String, term: UInt32, version: String, otherServer: OtherServer? = nil) {
        self.role = role
        self.term = term
        self.version = version
        self.otherServer = otherServer
    }
}
