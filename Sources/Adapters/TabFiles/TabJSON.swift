import Basics
import Foundation
import Tablature

/// Tab JSON (`docs/tab-json.md`) as bytes.
public enum TabJSON {
    public static let mostBytes = 24_000_000

    /// Reads a tab and checks it.
    /// - Throws: ``ExplainedError`` for JSON that is damaged, too large, or no tab.
    public static func read(_ bytes: [UInt8], name: String) throws(ExplainedError) -> Tab {
        guard bytes.count <= mostBytes else {
            throw ExplainedError(
                "\(name) has \(bytes.count / 1_000_000) MB; at most \(mostBytes / 1_000_000) are read. Split the piece."
            )
        }
        let tab: Tab
        do {
            tab = try JSONDecoder().decode(Tab.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw ExplainedError(
                "\(name) is no tab JSON: \(describe(error)). docs/tab-json.md gives the fields.")
        } catch {
            throw ExplainedError("\(name) is no tab JSON: \(error.localizedDescription)")
        }
        do { try TabCheck.check(tab) } catch { throw ExplainedError("\(name): \(error.sentence)") }
        return tab
    }

    /// The same tab always gives the same bytes.
    public static func write(_ tab: Tab) throws(ExplainedError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return Array(try encoder.encode(tab)) + [0x0A] } catch {
            throw ExplainedError("The tab cannot be written as JSON: \(error).")
        }
    }

    private static func describe(_ error: DecodingError) -> String {
        let (context, what): (DecodingError.Context, String) =
            switch error {
            case .keyNotFound(let key, let context): (context, "“\(key.stringValue)” is missing")
            case .typeMismatch(_, let context): (context, "a value has the wrong kind")
            case .valueNotFound(_, let context): (context, "a value is null")
            case .dataCorrupted(let context):
                (context, context.codingPath.isEmpty ? "it is not valid JSON" : context.debugDescription)
            @unknown default: (.init(codingPath: [], debugDescription: ""), "it cannot be read")
            }
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return String((path.isEmpty ? what : "\(what) at \(path.drop { $0 == "." })").prefix(300))
    }
}
