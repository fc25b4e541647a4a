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
}
