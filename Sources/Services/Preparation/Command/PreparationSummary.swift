import Foundation
import ReferenceStore
import ScoreFiles

/// Summary of a finished preparation, as text and as JSON.
package struct PreparationSummary: Sendable {
    private let storedModel: StoredModel
    private let pieceFolder: String
    private let modelFolderPath: String
    /// Size of the model on disk; nil if nothing was written.
    private let writtenModelBytes: Int?
    private let findings: [String]

    init(_ stored: StoredModel, piece: String, folder: String, bytes: Int?, findings: [String]) {
        self.storedModel = stored
        self.pieceFolder = piece
        self.modelFolderPath = folder
        self.writtenModelBytes = bytes
        self.findings = findings
    }

    /// The reference that was made or added.
    var newestReference: StoredReference {
        storedModel.referenceDetails[storedModel.referenceDetails.count - 1]
    }

    package var text: String {
        var lines = [
            "\(storedModel.model.pieceName)",
            "  \(RepeatStructure(storedModel.model.measures.marks).summarySentence)",
        ]
        for reference in storedModel.referenceDetails { lines += Self.referenceLines(about: reference) }
        if let writtenModelBytes {
            lines.append(
                "  \(modelFolderPath): \(String(format: "%.2f", Double(writtenModelBytes) / 1e6)) MB")
        } else {
            lines.append("  Checked; nothing was written.")
        }
        return lines.joined(separator: "\n")
    }

    private static func referenceLines(about reference: StoredReference) -> [String] {
        let whole = Int(reference.tuningCents.rounded())
        let cents = whole > 0 ? "+\(whole)" : "\(whole)"
        let hertz = String(format: "%.1f", 440 * pow(2, reference.tuningCents / 1_200))
        var lines = [
            "  \(reference.name): \(minutesAndSeconds(reference.durationSeconds)) of \(reference.source.file), "
                + "tuned \(cents) cents (A = \(hertz) Hz), measures \(measureOriginText(reference))"
        ]
        if let found = reference.scoreAlignment {
            let end = minutesAndSeconds(reference.measures.end.seconds)
            lines.append(
                "    music from \(minutesAndSeconds(reference.measures.marks[0].onset.seconds)) to \(end), "
                    + "\(String(format: "%.2f", found.tempoRatio)) times the score's tempo")
            lines += found.routeSentences.map { "    " + $0 }
        }
        for measure in reference.doubtful.prefix(20) {
            let printed = measure.printed.map { "measure \($0)" } ?? "the end"
            lines.append(
                "    check \(printed) (played \(measure.played)) at \(formattedSeconds(measure.seconds)) s: "
                    + measure.reasons.joined(separator: ", "))
        }
        if reference.doubtful.count > 20 {
            lines.append("    and \(reference.doubtful.count - 20) more, in \(reference.name).doubtful.csv")
        }
        return lines
    }

    private static func measureOriginText(_ reference: StoredReference) -> String {
        switch reference.measureOrigin {
        case .given: "given in \(reference.measureFile?.file ?? "a file")"
        case .rendered: "from the score"
        case .tapped:
            "found from the taps in \(reference.measureFile?.file ?? "a file"), "
                + (reference.doubtful.isEmpty ? "none" : "\(reference.doubtful.count)") + " doubtful"
        case .transferred:
            "found by alignment" + (reference.measureFile.map { " with \($0.file)" } ?? "") + ", "
                + (reference.doubtful.isEmpty ? "none" : "\(reference.doubtful.count)")
                + " doubtful"
        }
    }

    /// Formats a duration as minutes and seconds, such as `3:07`.
    private static func minutesAndSeconds(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        return "\(whole / 60):" + String(format: "%02d", whole % 60)
    }

    static func formattedSeconds(_ seconds: Double) -> String { String(format: "%.3f", seconds) }

    private struct JSONDocument: Encodable {
        struct Reference: Encodable {
            package var name, file, measures: String
            var durationSeconds, tuningCents: Double
            var doubtful: [DoubtfulMeasureTime]
            var scoreAlignment: ScoreAlignmentFindings?
        }

        struct Repeat: Encodable {
            var from, to, times: Int
        }

        var piece, name, folder: String
        var isWritten: Bool
        var bytes: Int?
        var measuresPlayed, measuresPrinted: Int
        var repeats: [Repeat]
        var references: [Reference]
        var findings: [String]
    }

    package var json: String {
        get throws {
            let unfolding = RepeatStructure(storedModel.model.measures.marks)
            let document = JSONDocument(
                piece: pieceFolder, name: storedModel.model.pieceName.text, folder: modelFolderPath,
                isWritten: writtenModelBytes != nil,
                bytes: writtenModelBytes, measuresPlayed: unfolding.playedMeasureCount,
                measuresPrinted: unfolding.distinctPrintedCount,
                repeats: unfolding.repeatedRanges.map {
                    .init(
                        from: $0.printedRange.lowerBound, to: $0.printedRange.upperBound, times: $0.playCount)
                },
                references: storedModel.referenceDetails.map {
                    .init(
                        name: $0.name, file: $0.source.file, measures: $0.measureOrigin.rawValue,
                        durationSeconds: $0.durationSeconds, tuningCents: $0.tuningCents,
                        doubtful: $0.doubtful, scoreAlignment: $0.scoreAlignment)
                },
                findings: findings)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(document), as: UTF8.self)
        }
    }
}
