import Digests
import Foundation
import Podium
import Score

/// What two servers of a show must have in common, as a number: equal where both would do the same.
///
/// Of the pieces as each has prepared them, and of the cues and sections as they stand now. How a cue list came about
/// does not count: read from a file, edited on the console or copied from the other server, with whatever ids, with
/// `C` or `57` for the same measure.
package enum ShowFingerprint {
    /// - Parameters:
    ///   - own: as the files of this server have it; its music is what this server would follow.
    ///   - inForce: as the show stands; on a backup the copy of the main server's.
    package static func of(own: ShowProgramme, inForce: ShowProgramme) -> UInt64 {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let compared = Compared(
            pieces: own.pieces.map { Music(name: $0.name, folder: $0.folder, measures: $0.measures) },
            sections: inForce.pieces.map(\.sections),
            cues: inForce.pieces.map {
                $0.cues.cues.map(plain).sorted { $0.lexicographicallyPrecedes($1) }
            })
        return Fingerprint.of((try? encoder.encode(compared)) ?? Data())
    }

    private struct Compared: Encodable {
        var pieces: [Music]
        var sections: [[ShowSection]]
        var cues: [[[String]]]
    }

    private struct Music: Encodable {
        package var name: PieceName
        var folder: String
        var measures: MeasureMap
    }

    /// What a cue does, without what it is called by in this list.
    private static func plain(_ cue: Cue) -> [String] {
        let played = "\(cue.played)"
        return [
            String(repeating: "0", count: max(6 - played.count, 0)) + played, cue.name, cue.kind.rawValue,
            "\(cue.isAutomatic)", "\(cue.earlinessMilliseconds)", cue.notes, cue.target, cue.payload,
        ]
    }
}
