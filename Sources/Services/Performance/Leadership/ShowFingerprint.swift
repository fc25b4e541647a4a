import Basics
import Foundation
import Podium
import Score

/// A hash of everything in which the two servers of a show must agree. The hashes are equal if both servers would act
/// alike.
///
/// It covers each server's own measures, and the present cues and sections. The origin of a cue list does not matter:
/// lists with different ids, or with `C` and `57` for the same measure, give the same hash.
enum ShowFingerprint {
    /// Computes the hash.
    /// - Parameters:
    ///   - own: the programme from this server's files, whose measures its follower would use.
    ///   - inForce: the programme as the show has it now; on a backup, the copy of the main server's programme.
    static func compute(own: ShowProgramme, inForce: ShowProgramme) -> UInt64 {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let compared = ComparedFields(
            pieces: own.pieces.map { PieceMeasures(name: $0.name, folder: $0.folder, measures: $0.measures) },
            sections: inForce.pieces.map(\.sections),
            cues: inForce.pieces.map {
                $0.cues.cues.map(comparableCueFields).sorted { $0.lexicographicallyPrecedes($1) }
            })
        return FNV1aHash.of((try? encoder.encode(compared)) ?? Data())
    }

    private struct ComparedFields: Encodable {
        var pieces: [PieceMeasures]
        var sections: [[PieceSection]]
        var cues: [[[String]]]
    }

    private struct PieceMeasures: Encodable {
        var name: PieceName
        var folder: String
        var measures: MeasureMap
    }

    /// Returns a cue's effect as text, without the cue's id and its spelling of the measure.
    private static func comparableCueFields(_ cue: Cue) -> [String] {
        let played = "\(cue.played)"
        return [
            String(repeating: "0", count: max(6 - played.count, 0)) + played, cue.name, cue.kind.rawValue,
            "\(cue.isAutomatic)", "\(cue.earlinessMilliseconds)", cue.notes, cue.target, cue.payload,
        ]
    }
}
