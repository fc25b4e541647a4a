import Basics
import Foundation
import Hosting
import Platform
import Podium
import ReferenceStore
import Titles

/// The lists of titles of the prepared pieces, as files in `DATA/titles`: a piece that is put on the programme brings
/// its list from there.
package actor PreparedTitleLists: PreparedTitleKeeping {
    private let builder: ShowProgrammeBuilder
    private let models: ModelFolder
    /// The lists that were read for the overview, with the dates of their files and of the pieces' models.
    private var known: [String: (dates: [Date?], list: PreparedTitles)] = [:]

    package init(builder: ShowProgrammeBuilder, modelsFolderPath: String) {
        self.builder = builder
        models = ModelFolder(path: modelsFolderPath)
    }

    package func listPieces() -> [PreparedTitles] {
        let tabs = TabPieceOwners(recordings: builder.recordingsFolderPath)
        return models.summaries().filter { !tabs.isTab($0.folder) }.map { summary in
            let dates = [builder.titleFileDate(of: summary.folder), models.modelDate(of: summary.folder)]
            if let known = known[summary.folder], known.dates == dates { return known.list }
            let (list, fault) = builder.readTitles(of: summary.folder, name: summary.name) {
                try models.readMeasures(of: summary.folder).measures
            }
            let titles = PreparedTitles(
                folder: summary.folder, name: summary.name.text, count: list.count,
                revision: list.fingerprint,
                fault: fault)
            known[summary.folder] = (dates, titles)
            return titles
        }.sorted { $0.name.localizedCaseInsensitiveCompare($1.name) == .orderedAscending }
    }

    package func piece(_ folder: String) -> ShowPiece? {
        guard models.contains(folder), let found = try? models.readMeasures(of: folder) else { return nil }
        return builder.buildPreparedPiece(folder, name: found.name, measures: found.measures)
    }

    package func changeTitles(
        of folder: String, _ change: @Sendable (ShowPiece) throws -> TitleList
    ) throws -> ShowPiece? {
        guard let piece = self.piece(folder) else { return nil }
        let list = try change(piece)
        let changed = try ShowProgramme(title: folder, pieces: [piece]).replacingTitles(of: 0, by: list)
        try Self.write(TitleSheet.csv(of: list), to: builder.titleFilePath(folder))
        known[folder] = nil
        return changed.pieces[0]
    }

    private static func write(_ text: String, to path: String) throws(ExplainedError) {
        do throws(FileWriteError) {
            try DurableFile.makeFolder((path as NSString).deletingLastPathComponent)
            try DurableFile.write(text.utf8, to: path)
        } catch { throw notWritten }
    }

    private static let notWritten = ExplainedError(
        "The list of titles could not be written; free disk space, and save it once more.")

    package nonisolated var replicatedFolder: ReplicatedFolder {
        let root = (builder.titleFilePath("") as NSString).deletingLastPathComponent
        return ReplicatedFolder(
            "titles", path: root,
            listItems: {
                (ReplicatedItem.entries(of: root) ?? []).filter { $0.hasSuffix(".csv") }.sorted().compactMap {
                    name in
                    ReplicatedItem.File(name, of: root).map {
                        ReplicatedItem(name: String(name.dropLast(4)), files: [$0], isFolder: false)
                    }
                }
            },
            findDamage: { folder, item in
                guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(item).csv"),
                    (try? TitleSheet.titles(of: Array(bytes))) != nil
                else { return "it is no list of titles" }
                return nil
            })
    }
}
