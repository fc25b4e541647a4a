import Basics
import Platform

extension XMLNode {
    /// Parses a file of another program.
    /// - Parameter what: names the file in errors.
    static func parse(_ bytes: [UInt8], _ what: String) throws(ExplainedError) -> XMLNode {
        do throws(XMLFault) {
            return try parse(
                bytes,
                within: XMLBounds(bytes: 48_000_000, elements: 1_500_000, depth: 100, isLenient: true))
        } catch {
            throw ExplainedError("\(what), line \(error.line): \(error.reason.sentence)")
        }
    }

    /// The text of a child; nil if the child is missing or empty.
    func string(_ name: String) -> String? {
        guard let text = self[name]?.text, !text.isEmpty else { return nil }
        return text
    }

    /// The whole number in a child; nil if it is none, or so large that no file means it.
    func int(_ name: String) -> Int? { self[name].flatMap { wholeNumber($0.text) } }

    /// The whole number in an attribute, within the same bounds.
    func intAttribute(_ name: String) -> Int? { attributes[name].flatMap { wholeNumber($0) } }

    func double(_ name: String) -> Double? {
        self[name].flatMap { Double($0.text) }.flatMap { $0.isFinite ? $0 : nil }
    }

    func has(_ name: String) -> Bool { children.contains { $0.name == name } }

    /// Attributes and all text below, shortened, for what is kept without being understood.
    var summary: String {
        var parts: [String] = []
        var budget = 24
        collect(into: &parts, &budget)
        return String(parts.joined(separator: " ").prefix(400))
    }

    private func collect(into parts: inout [String], _ budget: inout Int) {
        guard budget > 0 else { return }
        budget -= 1
        parts += attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.prefix(60))" }
        if !text.isEmpty { parts.append(String(text.prefix(200))) }
        for child in children where budget > 0 {
            parts.append("<\(child.name)>")
            child.collect(into: &parts, &budget)
        }
    }
}
