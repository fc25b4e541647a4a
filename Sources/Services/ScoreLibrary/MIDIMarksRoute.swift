import Basics
import Rehearsal
import ScoreFiles
import WebServer

/// Reads the rehearsal marks of a MIDI file for the librarian's page, which shows them before they are saved.
enum MIDIMarksRoute {
    /// The largest MIDI file, in bytes; an opera has some hundred thousand.
    static let mostBytes = 4 << 20

    struct Found: Encodable {
        var marks: [RehearsalMark]
        /// The number of marks that cannot be kept: those beyond the most of a movement.
        var leftOut: Int
    }

    static func find(in file: [UInt8]) throws -> Found {
        let found: [MIDIRehearsalMarks.Mark]
        do throws(ExplainedError) {
            found = try MIDIRehearsalMarks.find(
                in: try MIDIFileReader.read(file), longestLabel: RehearsalMark.longestLabel)
        } catch {
            throw LibraryRefusal.badFile("The MIDI file has no marks that can be read: \(error.sentence).")
        }
        let marks = found.compactMap { try? RehearsalMark(label: $0.label, measure: $0.measure) }
        let kept = Array(marks.prefix(RehearsalMark.mostOfMovement))
        return Found(marks: kept, leftOut: found.count - kept.count)
    }
}
