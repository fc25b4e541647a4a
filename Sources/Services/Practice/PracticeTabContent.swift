import TabFiles
import WebServer

/// Checks that a tab is tab JSON within its limits, so that every page can show it.
enum PracticeTabContent {
    /// - Throws: ``PracticeRefusal/notATab(_:)`` with the first thing that is wrong.
    static func check(_ body: [UInt8]) throws(PracticeRefusal) {
        guard JSONBody.nestingDepth(of: body) <= JSONBody.deepestNesting else {
            throw .notATab(
                "The JSON is nested deeper than \(JSONBody.deepestNesting) levels; this is no tab.")
        }
        do { _ = try TabJSON.read(body, name: "What was sent") } catch { throw .notATab(error.sentence) }
    }
}
