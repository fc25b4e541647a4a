import Diary
import DiaryFiles
import Foundation

/// The result of an import with its oddities, for the screen and as a file.
struct ImportReport {
    var files: [String]
    var counts: ImportCounts
    var oddities: [ImportOddity]

    private var byKind: [(kind: ImportOddity.Kind, found: [ImportOddity])] {
        let groups = Dictionary(grouping: oddities, by: \.kind)
        return ImportOddity.Kind.allCases.compactMap { kind in groups[kind].map { (kind, $0) } }
    }

    /// Some lines for people.
    var text: String {
        var lines = [
            "\(counts.programmes) programmes with \(counts.concerts) concerts from \(files.count) "
                + "file\(files.count == 1 ? "" : "s"): \(counts.added) added, \(counts.changed) changed, "
                + "\(counts.unchanged) as before"
                + (counts.kept > 0 ? ", \(counts.kept) left as people corrected them." : ".")
        ]
        for (kind, found) in byKind {
            let fields = Self.fields(found)
            let counts = fields.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
            lines.append(
                "\(found.count)\t\(kind.rawValue): \(kind.sentence)"
                    + (fields.count > 1 ? " (\(counts))" : "")
                    + " First: \(found[0].place)")
        }
        return lines.joined(separator: "\n")
    }

    /// The fields in which an oddity was found, most frequent first.
    private static func fields(_ found: [ImportOddity]) -> [(name: String, count: Int)] {
        let names = found.map { oddity in
            oddity.place.split(separator: " ").last.map { $0.prefix { $0 != "[" } }.map(String.init) ?? ""
        }
        return Dictionary(grouping: names, by: \.self).map { ($0.key, $0.value.count) }
            .filter { !$0.0.hasPrefix("#") }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }

    /// The counts as JSON: for each kind of oddity how often it was found, in all and in each field.
    var summary: String {
        let kinds = byKind.map { kind, found in
            let fields = Self.fields(found).map { "\(quoted($0.name)):\($0.count)" }.joined(separator: ",")
            return "\(quoted(kind.rawValue)):{\"count\":\(found.count),\"fields\":{\(fields)}}"
        }
        return "{\(head),\"oddities\":{" + kinds.joined(separator: ",") + "}}"
    }

    /// Writes the counts and every oddity with its place.
    func write(to path: String) throws {
        let sink = try DiaryFileSink(path: path)
        try sink.write("{\(head),\n\"oddities\":[")
        for (index, group) in byKind.enumerated() {
            try sink.write(
                (index > 0 ? "," : "")
                    + "\n{\"kind\":\(quoted(group.kind.rawValue)),\"count\":\(group.found.count),"
                    + "\"sentence\":\(quoted(group.kind.sentence)),\"places\":[")
            for (index, oddity) in group.found.enumerated() {
                try sink.write(
                    (index > 0 ? ",\n" : "\n") + "[\(quoted(oddity.place)),\(quoted(oddity.value))]")
            }
            try sink.write("\n]}")
        }
        try sink.write("\n]}\n")
        try sink.finish()
    }

    private var head: String {
        "\"files\":[\(files.map(quoted).joined(separator: ","))],\"programmes\":\(counts.programmes),"
            + "\"concerts\":\(counts.concerts),\"added\":\(counts.added),\"changed\":\(counts.changed),"
            + "\"unchanged\":\(counts.unchanged),\"kept\":\(counts.kept)"
    }

    private func quoted(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": json += "\\\(scalar)"
            case "\u{0}"..<" ":
                json += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}
