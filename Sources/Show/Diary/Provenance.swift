/// The way in which a field of the diary came to its value.
public enum FieldOrigin: String, Hashable, Sendable, Codable, CaseIterable {
    /// The follower heard it.
    case heard
    /// A person typed it.
    case typed
    /// It was read from a file or from an outside source.
    case imported
}

/// The origin of each field of a record.
public struct Provenance: Hashable, Sendable, Codable {
    /// The origin of every field that has none of its own in ``fields``.
    public var usual: FieldOrigin
    /// The origins of single fields that differ, by the field's path in the record's JSON: `season`,
    /// `items/2/title`, `concerts/0/time`.
    public var fields: [String: FieldOrigin]
    /// The name of the source, such as `nyphil`; empty if there is none.
    public var source: String
    /// The record at the source; nil if the source has no such ids.
    public var record: Record?

    /// A record of an outside source.
    public struct Record: Hashable, Sendable, Codable {
        public var id: String
        /// The version that was read; empty if the source counts none.
        public var version: String
        /// Its page there, for people; some sources want it to be shown.
        public var link: String

        public init(id: String, version: String = "", link: String = "") {
            (self.id, self.version, self.link) = (id, version, link)
        }
    }

    public init(
        _ usual: FieldOrigin, source: String = "", record: Record? = nil, fields: [String: FieldOrigin] = [:]
    ) {
        self.usual = usual
        self.source = source
        self.record = record
        self.fields = fields
    }

    /// The origin of a field: its own, or that of the nearest part of the record that contains it.
    public func origin(of path: String) -> FieldOrigin {
        var path = Substring(path)
        while true {
            if let origin = fields[String(path)] { return origin }
            guard let slash = path.lastIndex(of: "/") else { return usual }
            path = path[..<slash]
        }
    }

    /// Notes the origin of a field, and forgets what was noted for its parts.
    public mutating func set(_ origin: FieldOrigin, for path: String) {
        fields = fields.filter { !$0.key.hasPrefix(path + "/") && $0.key != path }
        if self.origin(of: path) != origin { fields[path] = origin }
    }

    /// True if a person typed at least one field.
    public var hasTypedField: Bool { usual == .typed || fields.values.contains(.typed) }

    private enum CodingKeys: CodingKey { case usual, fields, source, record }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try values.decode(FieldOrigin.self, forKey: .usual),
            source: try values.decodeIfPresent(String.self, forKey: .source) ?? "",
            record: try values.decodeIfPresent(Record.self, forKey: .record),
            fields: try values.decodeIfPresent([String: FieldOrigin].self, forKey: .fields) ?? [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(usual, forKey: .usual)
        if !fields.isEmpty { try values.encode(fields, forKey: .fields) }
        if !source.isEmpty { try values.encode(source, forKey: .source) }
        try values.encodeIfPresent(record, forKey: .record)
    }
}
