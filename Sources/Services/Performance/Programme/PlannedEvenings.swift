import Basics
import Foundation
import Hosting
import Platform
import Podium
import ReferenceStore

/// The evenings that are planned, in `DATA/evenings/planned.json`.
package struct PlannedEvenings: Sendable {
    private static let mostEvenings = 200
    private static let longestID = 64
    private let folder: String

    package init(dataFolder: String) { folder = dataFolder + "/evenings" }

    private var path: String { folder + "/planned.json" }

    /// By date; those without one are last. None while the file is damaged; whoever plans is told.
    func list() -> [PlannedEvening] { (try? readAll()) ?? [] }

    private func readAll() throws(ExplainedError) -> [PlannedEvening] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard let all = JSONFile.read([PlannedEvening].self, at: path) else {
            throw ExplainedError(
                "The planned evenings in \(path) cannot be read; mend the file or move it away, and try again."
            )
        }
        return all.sorted { (Self.date($0), $0.id) < (Self.date($1), $1.id) }
    }

    /// The next evening that is planned for today or later; nil if there is none.
    /// - Parameter today: `YYYY-MM-DD`.
    func next(from today: String) -> PlannedEvening? {
        list().first { Self.date($0) >= today && Self.date($0) != Self.undated }
    }

    private static let undated = "9999"

    private static func date(_ evening: PlannedEvening) -> String {
        evening.wanted.fields.date.flatMap { $0.isEmpty ? nil : $0 } ?? undated
    }

    /// Plans an evening, or changes its plan.
    /// - Throws: a sentence, if a field is wrong or the plan cannot be written.
    func put(_ wanted: WantedEvening, as id: String) throws(ExplainedError) {
        guard (1...Self.longestID).contains(id.utf8.count),
            id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { throw ExplainedError("An evening’s id has letters, digits and dashes, 64 at most.") }
        let fields: Evening.Fields
        do throws(EveningFault) {
            fields = Evening.Fields(try Evening.unnamed.changed(by: wanted.fields))
        } catch { throw ExplainedError(error.sentence) }
        let pieces = wanted.pieces ?? []
        guard pieces.count <= ShowProgramme.mostPieces, pieces.allSatisfy(ModelFolder.isValidName) else {
            throw ExplainedError(
                "An evening has at most \(ShowProgramme.mostPieces) pieces, named by their folders.")
        }
        var all = try readAll().filter { $0.id != id }
        guard all.count < Self.mostEvenings else {
            throw ExplainedError(
                "\(Self.mostEvenings) evenings are planned, the most there may be; drop one.")
        }
        all.append(
            PlannedEvening(id, WantedEvening(fields, pieces: pieces, intermissions: wanted.intermissions)))
        try write(all)
    }

    /// Dropping one that is not there changes nothing.
    func drop(_ id: String) throws(ExplainedError) {
        let all = try readAll()
        if all.contains(where: { $0.id == id }) { try write(all.filter { $0.id != id }) }
    }

    private func write(_ all: [PlannedEvening]) throws(ExplainedError) {
        do {
            try DurableFile.makeFolder(folder)
            try JSONFile.write(all, to: path)
        } catch { throw ExplainedError("The plan could not be written; free disk space, and try again.") }
    }

    package var replicatedFolder: ReplicatedFolder {
        ReplicatedFolder(
            "evenings", path: folder,
            listItems: { [folder] in
                ReplicatedItem.File("planned.json", of: folder).map {
                    [ReplicatedItem(name: "planned", files: [$0], isFolder: false)]
                } ?? []
            },
            findDamage: { folder, item in
                JSONFile.read([PlannedEvening].self, at: "\(folder)/\(item).json") == nil
                    ? "it is no list of evenings" : nil
            })
    }
}
