extension SourceRequests.Settings {
    /// Creates the settings of a source. The header fields of its requests name this program and the house.
    /// - Parameters:
    ///   - server: the address without a path, such as `https://musicbrainz.org`.
    ///   - version: this program's version.
    ///   - contact: the mail address or web address of the house.
    ///   - key: the header field for the operator's key, and the key; nil for a source without keys.
    ///   - pace: the rate that the operator allows.
    init(
        name: String, server: String, version: String, contact: String,
        key: (field: String, value: SourceKey)? = nil, pace: RequestPace
    ) {
        let keyFields = key.map { [(name: $0.field, value: $0.value.text)] } ?? []
        self.init(
            name: name, base: server,
            headers: keyFields + [(name: "User-Agent", value: "Baton/\(version) ( \(contact) )")], pace: pace)
    }
}
