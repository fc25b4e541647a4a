import Podium

/// A cue as the cue editor of the console sends it.
struct EditedCue: Decodable {
    var id: String?
    var place: String
    package var name: String
    package var kind: String
    var auto: Bool?
    var earlinessMs: Int?
    var notes: String?
    var target: String?
    var payload: String?

    /// Makes the piece's new cue list from the edited cues. Cues that existed before keep their ids.
    static func makeCueList(_ edits: [EditedCue], of piece: ShowPiece) throws(EditedCueError) -> CueList {
        var cues: [Cue] = []
        for (row, edit) in edits.enumerated() {
            let cue = edit.name.isEmpty ? "Cue \(row + 1)" : "The cue “\(edit.name.prefix(40))”"
            guard let place = MeasureReference(edit.place) else {
                throw EditedCueError(sentence: "\(cue): give a place such as 57, 57/2, C or p:60.")
            }
            guard let kind = CueKind(rawValue: edit.kind) else {
                throw EditedCueError(
                    sentence: "\(cue): “\(edit.kind.prefix(40))” is not a kind of cue; the kinds are "
                        + CueKind.allCases.map(\.rawValue).joined(separator: ", ") + ".")
            }
            let played: Int
            do throws(MeasureReferenceFault) { played = try place.resolve(in: piece) } catch {
                throw EditedCueError(sentence: "\(cue): \(error.sentence)")
            }
            cues.append(
                Cue(
                    id: edit.id ?? "", place: place, played: played, name: edit.name, kind: kind,
                    isAutomatic: edit.auto ?? true, earlinessMilliseconds: edit.earlinessMs ?? 0,
                    notes: edit.notes ?? "", target: edit.target ?? "", payload: edit.payload ?? ""))
        }
        do throws(CueFault) {
            return try CueList(cues, measureCount: piece.playedMeasureCount, replacing: piece.cues)
        } catch {
            throw EditedCueError(sentence: error.sentence)
        }
    }
}

/// The reason why an edited cue list was refused.
struct EditedCueError: Error, Equatable {
    var sentence: String
}
