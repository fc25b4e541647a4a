import Catalogue
import Concert
import Content
import Foundation
import Hosting
import Platform
import WebServer

/// Routes to download and upload whole concerts as ZIPs.
extension ContentEditRoutes {
    private struct ImportAnswer: Encodable {
        var concert: Int64
        var revision: Int
        var title: String
        /// A summary of the imported contents, in a few words.
        var brought: String
        var notes: [String]
    }

    private static let zipBusyResponse = WebResponse.refused(
        503, "busy", "Another ZIP is being packed or read; try again in a moment.")

    /// Downloads the concert as a ZIP of the files that `baton content import` reads.
    @Sendable func exportZip(_ request: WebRequest) async -> WebResponse {
        do {
            let id = try parseConcertID(request)
            let document = CatalogueConcert(try await loadContentTree(id))
            let shelf = concertEditor.assetStore
            let zip = try await concertEditor.exclusiveZipTask.runIfFree {
                try await Task.detached { try ContentZip.writeConcertZip(document, shelf: shelf) }.value
            }
            guard let zip else { return Self.zipBusyResponse }
            let name = Self.safeFileName(document.concert.title, or: "concert-\(id)")
            return WebResponse.file(
                zip.path, contentType: "application/zip", tag: zip.name
            ).withHeader("Content-Disposition", "attachment; filename=\"\(name).zip\"")
        } catch {
            return await makeZipRefusal(error)
        }
    }

    /// Imports a ZIP: into the concert that the address names, as an edit that can be undone, or as a new concert.
    @Sendable func importZip(_ request: WebRequest) async -> WebResponse {
        guard let file = request.uploadedFile else {
            return .refused(400, "no-file", "Send a ZIP as the body.")
        }
        let scratch = "\(concertEditor.assetStore.uploadFolder)/\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        do {
            let id = request.pathParameters["concert"] == nil ? nil : try parseConcertID(request)
            let author = authorName(request)
            let answer = try await concertEditor.exclusiveZipTask.runIfFree {
                [concertEditor] () async throws -> WebResponse in
                let files = try await Task.detached {
                    var files = try ContentZip.readConcertZip(file.path, scratch: scratch)
                    if let contentRecordings { files.assignRecordings(in: contentRecordings) }
                    return files
                }.value
                // Images that the server already stores do not count against the limits.
                let new = files.assetFiles.filter {
                    concertEditor.assetStore.path(of: Digest(of: $0.bytes).description) == nil
                }
                let bytes = new.reduce(0) { $0 + $1.bytes.count }
                let room = await uploadQuota?.begin(
                    .assets, by: request.person, adding: new.count, bytes: bytes)
                defer { withExtendedLifetime(room) {} }
                if let refused = room?.refusal
                    ?? DiskReserve(folder: concertEditor.assetStore.folder).refusal(adding: bytes)
                {
                    return refused
                }
                let label = "import of \(files.summary)"
                var made = id
                if let id {
                    let document = CatalogueConcert(try await loadContentTree(id))
                    _ = try await files.importFiles(
                        into: document, of: concertEditor, id: id, author: author, label: label)
                } else {
                    made = try await files.makeConcert(in: concertEditor, author: author, label: label)
                }
                let tree = try await loadContentTree(made ?? -1)
                return .json(
                    ImportAnswer(
                        concert: made ?? -1, revision: tree.revision, title: tree.root["title"],
                        brought: files.summary,
                        notes: files.importNotes.map { Self.removingFolderPath($0, scratch) }))
            }
            return answer ?? Self.zipBusyResponse
        } catch {
            return await makeZipRefusal(error, in: scratch)
        }
    }

    private func makeZipRefusal(_ error: any Error, in folder: String? = nil) async -> WebResponse {
        guard let fault = error as? ZipError else { return await Self.makeImportRefusal(error, in: folder) }
        return switch fault {
        case .diskFull: .refused(507, "disk-full", fault.sentence)
        case .notWritten: .refused(500, "failed", fault.sentence)
        default: .refused(422, "bad-zip", fault.sentence)
        }
    }

    /// Removes the temporary folder's path from a sentence.
    static func removingFolderPath(_ sentence: String, _ folder: String) -> String {
        sentence.replacing(folder + "/", with: "").replacing(folder, with: "the ZIP")
    }

    /// The title as a file name: ASCII letters and digits, which every header field and file system accepts.
    private static func safeFileName(_ title: String, or other: String) -> String {
        let plain = title.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let words = String(plain).split(separator: "-").joined(separator: "-").prefix(60)
        return words.isEmpty ? other : String(words)
    }
}
