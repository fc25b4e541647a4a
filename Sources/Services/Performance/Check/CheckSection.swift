/// The console's section `check`: the progress and the findings of the pre-show check.
package struct CheckSection: Codable {
    package struct Item: Codable {
        package var id: String
        package var title: String
        package var state: String
        package var sentence: String
    }

    package var running: Bool
    package var progress: Double
    package var items: [Item]
    /// The end of the last check, in milliseconds since 1970; nil while the check runs, and before the first check.
    var endedAt: Int64?
}
