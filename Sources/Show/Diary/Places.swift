/// A hall, a park, a club. Its id comes from its name, city and country, so that each place has one record.
public struct Venue: Hashable, Sendable, Codable {
    public var id: String
    public var name: String
    public var city: String
    /// ISO 3166-1 alpha-2; empty if unknown.
    public var countryCode: String

    public init(name: String, city: String = "", countryCode: String = "") {
        self.id = DiaryID.make("venue", name, city, countryCode)
        self.name = name
        self.city = city
        self.countryCode = countryCode
    }
}

public struct City: Hashable, Sendable, Codable {
    public var id: String
    public var city: String
    /// ISO 3166-1 alpha-2; empty if unknown.
    public var countryCode: String

    public init(city: String, countryCode: String = "") {
        self.id = DiaryID.make("city", city, countryCode)
        self.city = city
        self.countryCode = countryCode
    }
}

public struct Country: Hashable, Sendable, Codable {
    /// ISO 3166-1 alpha-2, in capitals.
    public var code: String
    /// The country's name, by language code.
    public var name: [String: String]

    public init(code: String, name: [String: String]) {
        self.code = code
        self.name = name
    }
}
