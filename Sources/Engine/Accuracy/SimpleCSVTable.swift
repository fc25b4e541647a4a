import Basics

/// A table of comma-separated lines, the first of which names the columns. Quotes are not supported, because traces
/// need none.
struct SimpleCSVTable {
    struct Row {
        /// Line number in the text, from 1; the column names are line 1.
        var line: Int
        fileprivate var fields: [Substring]

        func textInColumn(_ column: Int) -> String { column < fields.count ? String(fields[column]) : "" }

        func numberInColumn(_ column: Int) -> Double? { column < fields.count ? Double(fields[column]) : nil }
    }

    private(set) var columnIndices: [String: Int] = [:]
    private(set) var rows: [Row] = []

    init(_ text: String) throws(ExplainedError) {
        var line = 0
        for bytes in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            line += 1
            let fields = bytes.split(separator: 0x2C, omittingEmptySubsequences: false)
                .map { Substring($0).trimmed }
            guard fields.count > 1 || fields.first?.isEmpty == false else { continue }
            if columnIndices.isEmpty {
                for (index, name) in fields.enumerated() where columnIndices[String(name)] == nil {
                    columnIndices[String(name)] = index
                }
            } else {
                rows.append(Row(line: line, fields: fields))
            }
        }
        guard !columnIndices.isEmpty else {
            throw ExplainedError("The table is empty; its first line must name the columns.")
        }
    }

    func columnIndex(_ name: String) throws(ExplainedError) -> Int {
        guard let index = columnIndices[name] else {
            throw ExplainedError("The first line names no column '\(name)'.")
        }
        return index
    }
}

extension Substring {
    /// The text without spaces, tabs, carriage returns and byte order marks at either end.
    fileprivate var trimmed: Substring {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar == " " || scalar == "\r" || scalar == "\t" || scalar == "\u{FEFF}"
        }
        guard let first = unicodeScalars.firstIndex(where: { !isBlank($0) }),
            let last = unicodeScalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return self[first..<unicodeScalars.index(after: last)]
    }
}
