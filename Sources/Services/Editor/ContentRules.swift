import Basics
import Catalogue
import Concert
import Content
import Foundation
import Score
import WebServer

/// Normalises fields that editors send, and refuses values that listeners' apps cannot show.
package enum ContentRules {
    /// The longest title of a concert, in characters; the page's fields take no more.
    static let longestConcertTitle = 300

    /// Checks each field separately. For rules about several fields, see ``findNodeFault(of:)``.
    /// - Parameters:
    ///   - fields: the fields as sent; `played` (a played measure) is replaced by the printed number and time.
    ///   - measures: the measure map of the piece to which the node belongs; empty if there is none.
    package static func checkFields(
        _ fields: [String: String], of kind: ConcertNodeKind, measures: @autoclosure () -> [PlayedMeasure]
    ) throws(Refusal) -> [String: String] {
        var kept: [String: String] = [:]
        for (name, value) in fields where name != "played" {
            kept[name] = try checkField(name, value, of: kind)
        }
        if let played = fields["played"] {
            guard kind == .slide || kind == .section else {
                throw makeRefusal("Only slides and sections have a place.")
            }
            let marks = measures()
            guard let index = Int(played), marks.indices.contains(index) else {
                throw makeRefusal(
                    "The piece has \(marks.count) played measures, counted from 0; “\(played.prefix(20))” is none."
                )
            }
            kept["printed"] = String(marks[index].printed)
            kept["time"] = "\(marks[index].onset.seconds)"
        }
        return kept
    }

    /// Checks a whole node as an edit would leave it, because the valid values of one field may depend on another
    /// field.
    ///
    /// The catalogue calls this for everything that it writes: edits, undo, restored versions and imports.
    /// - Returns: a sentence if the node is invalid; otherwise nil.
    @Sendable package static func findNodeFault(of entry: ConcertNode) -> String? {
        if let rule = requiredField(of: entry.kind), entry[rule.field].isEmpty,
            // Entries of older versions may lack the field; only who clears it, or makes a new entry, must write it.
            entry.revisions[rule.field] ?? min(entry.placed, entry.revisions.values.min() ?? entry.placed)
                == max(entry.placed, entry.revisions.values.max() ?? 0)
        {
            return rule.sentence
        }
        guard entry.kind == .message else { return nil }
        do throws(Refusal) {
            _ = try PushMessage(entry: entry.fields)
            return nil
        } catch {
            return error.sentence
        }
    }

    /// The field without which an entry is of no use to listeners, and the sentence for an entry that lacks it.
    static func requiredField(of kind: ConcertNodeKind) -> (field: String, sentence: String)? {
        switch kind {
        case .concert: ("title", "The title is empty; give the concert one.")
        case .piece:
            (
                "name",
                ExplainedError(
                    "The piece name is empty; write it as 'Composer, Piece: Movement'."
                ).sentence
            )
        case .track: ("name", "The track has no name; give it one.")
        case .word:
            ("name", "The glossary has an entry without a word; write the word, or leave the entry out.")
        case .section, .slide, .message, .asset: nil
        }
    }

    /// Checks one field and returns its normalised value.
    package static func checkField(_ name: String, _ value: String, of kind: ConcertNodeKind)
        throws(Refusal)
        -> String
    {
        switch (kind, name) {
        case (.slide, "text"): return SlideText(value).writtenText
        case (.word, "description"), (.word, "history"): return CleanText.cleanedParagraphs(value)
        case (.concert, "credits"):
            return value.split(whereSeparator: \.isNewline).map { CleanText.cleanedLine(String($0)) }
                .filter { !$0.isEmpty }.joined(separator: "\n")
        case (.concert, "cast"): return try checkCast(value)
        case (.section, "labels"): return try checkTranslatedLabels(value)
        case (.piece, "measures"): return try checkMeasures(value)
        case (.piece, "name"): return try checkPieceName(value)
        case (.asset, _), (.piece, "waveform"):
            throw makeRefusal("The \(name) of a \(kind.rawValue) is not written by hand; upload the file.")
        default: break
        }
        let line = CleanText.cleanedLine(value)
        guard !line.isEmpty else {
            if let rule = requiredField(of: kind), rule.field == name { throw makeRefusal(rule.sentence) }
            return ""
        }
        switch name {
        case "title" where kind == .concert && line.count > longestConcertTitle:
            throw makeRefusal(
                "The title has \(line.count) characters; shorten it to \(longestConcertTitle).")
        case "date" where kind == .concert:
            if let fault = ConcertDate.fault(in: line) { throw makeRefusal(fault) }
            return line
        case "language" where Language(line) == nil:
            throw makeRefusal("“\(line.prefix(40))” is not a language; write a tag such as de or en-GB.")
        case "level" where TrackLevel(rawValue: line) == nil:
            throw makeRefusal(
                "“\(line.prefix(40))” is not a level; the levels are "
                    + TrackLevel.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        case "key" where KeySignature(line) == nil:
            throw makeRefusal("“\(line.prefix(40))” is not a key; write it as D major or B-flat minor.")
        case "link" where WebAddress(line) == nil:
            throw makeRefusal("“\(line.prefix(80))” is not an address; it begins with http:// or https://.")
        case "printed", "endPrinted", "measureCount":
            guard let number = Int(line), (0...999_999).contains(number) else {
                throw makeRefusal(
                    "“\(line.prefix(40))” is not a measure number; write a whole number from 0 to 999999.")
            }
            return String(number)
        case "time", "endTime":
            guard let seconds = Double(line), seconds.isFinite, (0...1e7).contains(seconds) else {
                throw makeRefusal(
                    "“\(line.prefix(40))” is not a time; write seconds since the recording's beginning.")
            }
            return "\(seconds)"
        case "image", "programNotes":
            do throws(ExplainedError) { return try AssetName(line).text } catch {
                throw makeRefusal(error.sentence)
            }
        case "folder" where !isFolderName(line):
            throw makeRefusal(
                "“\(line.prefix(40))” is not a folder name; it has letters, digits, dashes and dots.")
        case "name" where kind == .track && Track.reservedNames.contains(line):
            throw makeRefusal("The name “\(line)” is reserved by the file format; choose another.")
        default: return line
        }
    }

    private static func checkCast(_ value: String) throws(Refusal) -> String {
        var kept: [String] = []
        for line in nonEmptyLines(value) {
            guard let performer = Performer(line: line) else {
                throw makeRefusal(
                    "“\(line.prefix(80))” names no performer; write a line such as Anna Berg, violin, $anna.jpg."
                )
            }
            kept.append(performer.editorLine)
        }
        return kept.joined(separator: "\n")
    }

    private static func checkTranslatedLabels(_ value: String) throws(Refusal) -> String {
        var kept: [Translation] = []
        for line in nonEmptyLines(value) {
            guard let translation = Translation(line: line) else {
                throw makeRefusal(
                    "“\(line.prefix(80))” is not a name in another language; write a line such as de: Zweiter Teil."
                )
            }
            guard !kept.contains(where: { $0.language == translation.language }) else {
                throw makeRefusal("There are two names in the language “\(translation.language)”; keep one.")
            }
            kept.append(translation)
        }
        return kept.map(\.editorLine).joined(separator: "\n")
    }

    private static func nonEmptyLines(_ value: String) -> [String] {
        value.split(whereSeparator: \.isNewline).map { CleanText.cleanedLine(String($0)) }.filter {
            !$0.isEmpty
        }
    }

    private static func checkPieceName(_ value: String) throws(Refusal) -> String {
        let name: PieceName
        do throws(ExplainedError) {
            name = try PieceName(entered: CleanText.cleanedLine(value))
        } catch {
            throw makeRefusal(error.sentence)
        }
        return name.text
    }

    private static func checkMeasures(_ value: String) throws(Refusal) -> String {
        let rows = value.split(whereSeparator: \.isNewline)
        let marks = MeasureMapText.parseMarks(value.replacing(",", with: " "))
        guard marks.count == rows.count else {
            throw makeRefusal(
                "A row of the measures is not of the form “number seconds”, such as 12 34.5; correct it.")
        }
        for (before, mark) in zip(marks, marks.dropFirst()) where mark.onset <= before.onset {
            throw makeRefusal(
                "Measure \(mark.printed) starts at \(mark.onset.seconds) s, not after the one before it; put the "
                    + "measures in the order they are played.")
        }
        return MeasureMapText.makeText(marks)
    }

    package static func isFolderName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 200 && name.first != "."
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    || "-_.".unicodeScalars.contains(scalar)
            }
    }

    private static func makeRefusal(_ sentence: String) -> Refusal {
        Refusal(422, "bad-content", sentence)
    }
}
