import TabFiles
import WebServer

/// Checks that a tab is tab JSON within its limits, so that every page can show it.
enum PracticeTabContent {
    /// - Throws: ``Refusal`` with the first thing that is wrong.
    static func check(_ body: [UInt8]) throws(Refusal) {
        guard JSONBody.nestingDepth(of: body) <= JSONBody.deepestNesting else {
            throw Refusal(
                422, "bad-tab",
                "The JSON is nested deeper than \(JSONBody.deepestNesting) levels; this is no tab.")
        }
        do { _ = try TabJSON.read(body, name: "What was sent") } catch {
            throw Refusal(422, "bad-tab", error.sentence)
        }
    }
}
