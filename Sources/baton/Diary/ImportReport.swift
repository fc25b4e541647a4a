import Diary
import DiaryFiles
import Foundation

/// What an import did, and what was odd: for the screen, and as a file.
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
            lines.append("\(found.count)\t\(kind.rawValue): \(kind.sentence) First: \(found[0].place)")
        }
        return lines.joined(separator: "\n")
    }

    /// The counts as JSON.
    var summary: String { "{\(head),\"oddities\":{" + byKind.map { "\(quoted($0.kind.rawValue)):\($0.found.count)" }.joined(separator: ",") + "}}" }

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
                try sink.write((index > 0 ? ",\n" : "\n") + "[\(quoted(oddity.place)),\(quoted(oddity.value))]")
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
