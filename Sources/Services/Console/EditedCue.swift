import Basics
import Foundation
import Podium
import WebServer

/// A cue as the cue editor of the console sends it.
struct EditedCue: Decodable {
    var id: String?
    var place: String
    package var name: String
    package var kind: String
    var auto: Bool?
    var earlinessMs: Int?
    var begin: String?
    var notes: String?
    var target: String?
    var payload: String?

    /// Decodes the cue list of a request.
    /// - Throws: an error whose sentence names the cue and the field that cannot be used.
    static func decodeList(_ body: [UInt8]) throws -> [EditedCue] {
        let wrongForm = ExplainedError(
            "Send the cue list as a JSON array of cues, each with place, name and kind.")
        guard JSONBody.nestingDepth(of: body) <= JSONBody.deepestNesting else { throw wrongForm }
        do { return try JSONDecoder().decode([EditedCue].self, from: Data(body)) } catch {
            guard let error = error as? DecodingError else { throw wrongForm }
            let (path, complaint): ([any CodingKey], String) =
                switch error {
                case .keyNotFound(let key, let context):
                    (context.codingPath + [key], "is missing; place, name and kind are needed")
                case .typeMismatch(let type, let context): (context.codingPath, "must be \(describe(type))")
                case .valueNotFound(let type, let context): (context.codingPath, "must be \(describe(type))")
                // A number that its field cannot hold has no path.
                default:
                    UnfitJSONNumber.find(decoding: [EditedCue].self, from: body)
                        .map { ($0.path, "must be \(describe(Int.self))") } ?? ([], "")
                }
            if let row = path.first?.intValue {
                guard path.count > 1 else {
                    throw ExplainedError("Cue \(row + 1) of the list is no JSON object.")
                }
                throw ExplainedError("Cue \(row + 1) of the list: “\(path[1].stringValue)” \(complaint).")
            }
            throw wrongForm
        }
    }

    private static func describe(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text in quotation marks"
        case is Bool.Type: "true or false"
        case is Int.Type: "a whole number of milliseconds from 0 to 60,000"
        default: "something else"
        }
    }

    /// Makes the piece's new cue list from the edited cues. Cues that existed before keep their ids.
    static func makeCueList(_ edits: [EditedCue], of piece: ShowPiece) throws -> CueList {
        var cues: [Cue] = []
        for (row, edit) in edits.enumerated() {
            let cue = edit.name.isEmpty ? "Cue \(row + 1)" : "The cue “\(edit.name.prefix(40))”"
            guard let place = MeasureReference(edit.place) else {
                throw ExplainedError("\(cue): give a place such as 57, 57/2, C or p:60.")
            }
            guard let kind = CueKind(rawValue: edit.kind) else {
                throw ExplainedError(
                    "\(cue): “\(edit.kind.prefix(40))” is not a kind of cue; the kinds are "
                        + CueKind.allCases.map(\.rawValue).joined(separator: ", ") + ".")
            }
            guard let beginning = edit.begin.map(CueBeginning.init(rawValue:)) ?? .certain else {
                throw ExplainedError(
                    "\(cue): “begin” is certain, or person if the cue waits until a person begins the piece."
                )
            }
            let played: Int
            do throws(MeasureReferenceFault) { played = try place.resolve(in: piece) } catch {
                throw ExplainedError("\(cue): \(error.sentence)")
            }
            cues.append(
                Cue(
                    id: edit.id ?? "", place: place, played: played, name: edit.name, kind: kind,
                    isAutomatic: edit.auto ?? true, earlinessMilliseconds: edit.earlinessMs ?? 0,
                    waitsForPerson: beginning == .person, notes: edit.notes ?? "", target: edit.target ?? "",
                    payload: edit.payload ?? ""))
        }
        return try CueList(cues, measureCount: piece.playedMeasureCount, replacing: piece.cues)
    }
}
