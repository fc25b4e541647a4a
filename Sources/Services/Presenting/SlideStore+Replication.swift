import Foundation
import Hosting
import ScorePages

extension SlideStore {
    /// The speakers' files as the backup server copies them: a PDF with its description, a video with its size. A file
    /// that is still arriving or being checked has neither, and is left out.
    nonisolated var replicatedFolder: ReplicatedFolder {
        let root = folder.path
        return ReplicatedFolder(
            "presenting", path: root,
            listItems: {
                (ReplicatedItem.entries(of: root) ?? []).sorted().compactMap { name in
                    let suffixes = [".json": Self.slidesSuffix, Self.videoSizeSuffix: Self.videoSuffix]
                    guard let (mark, suffix) = suffixes.first(where: { name.hasSuffix($0.key) }),
                        !name.hasPrefix(".")
                    else { return nil }
                    let id = String(name.dropLast(mark.count))
                    let files = [id + suffix, name].compactMap { ReplicatedItem.File($0, of: root) }
                    return files.count == 2 ? ReplicatedItem(name: id, files: files, isFolder: false) : nil
                }
            },
            findDamage: { folder, id in
                if let size = FileManager.default.contents(atPath: "\(folder)/\(id)\(Self.videoSizeSuffix)") {
                    return Self.size(ofVideo: "\(folder)/\(id)\(Self.videoSuffix)")
                        == Int(String(decoding: size, as: UTF8.self))
                        ? nil : "the video is not the one that was checked"
                }
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
