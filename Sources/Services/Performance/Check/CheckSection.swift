/// The pre-show check as the console shows it: its section `check`.
struct CheckSection: Codable {
    struct Item: Codable {
        var id: String
        var title: String
        var state: String
        var sentence: String
    }

    var running: Bool
    var progress: Double
    var items: [Item]
}
