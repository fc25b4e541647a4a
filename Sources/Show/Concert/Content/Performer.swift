/// A person on stage tonight, with an instrument, voice or other role, and a portrait.
public struct Performer: Hashable, Sendable, Codable {
    public var name: String
    /// The instrument, voice or other role, such as `violin` or `conductor`; may be empty.
    public var role: String
    /// The portrait, which is one of the concert's images; nil if there is none.
    public var portrait: AssetName?

    public init(name: String, role: String = "", portrait: AssetName? = nil) {
        self.name = CleanText.cleanedLine(name)
        self.role = CleanText.cleanedLine(role)
        self.portrait = portrait
    }

    /// Reads a line such as `Anna Berg, violin, $anna.jpg`. Role and portrait may be missing.
    /// - Returns: nil if there is no name.
    public init?(line: String) {
        let mark = ImageReference.all(in: Substring(line)).first
        let words = mark.map { String(line[..<$0.range.lowerBound]) } ?? line
        let fields = words.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).map {
            CleanText.cleanedLine(String($0))
        }
        guard let name = fields.first, !name.isEmpty else { return nil }
        let role = fields.count > 1 ? fields[1] : ""
        self.init(
            name: name, role: role.hasSuffix(",") ? String(role.dropLast()) : role, portrait: mark?.name)
    }

    public var editorLine: String {
        ([name, role].filter { !$0.isEmpty } + (portrait.map { ["$\($0)"] } ?? [])).joined(separator: ", ")
    }
}
