/// The pre-show check as the console shows it: its section `check`.
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
    /// When the findings were made, in milliseconds since 1970; nil while the check runs, and before the first.
    package var endedAt: Int64?
}
