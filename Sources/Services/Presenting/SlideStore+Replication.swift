import Foundation
import Hosting
import ScorePages

extension SlideStore {
    /// The speakers' files as the backup server copies them: a PDF with its description. A file that is still arriving
    /// or being checked has no description, and is left out.
    nonisolated var replicatedFolder: ReplicatedFolder {
        let root = folder.path
        return ReplicatedFolder(
            "presenting", path: root,
            listItems: {
                (ReplicatedItem.entries(of: root) ?? []).sorted().compactMap { name in
                    guard name.hasSuffix(".json"), !name.hasPrefix(".") else { return nil }
                    let id = String(name.dropLast(5))
                    let files = [id + ".pdf", name].compactMap { ReplicatedItem.File($0, of: root) }
                    return files.count == 2 ? ReplicatedItem(name: id, files: files, isFolder: false) : nil
                }
            },
            findDamage: { folder, id in
                guard
                    let summary = FileManager.default.contents(atPath: "\(folder)/\(id).json").flatMap({
                        try? JSONDecoder().decode(PDFSummary.self, from: $0)
                    })
                else { return "its description cannot be read" }
                var status = stat()
                guard stat("\(folder)/\(id).pdf", &status) == 0, Int(status.st_size) == summary.bytes else {
                    return "the PDF is not the one that was checked"
                }
                return nil
            })
    }
}
