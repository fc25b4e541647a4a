import Catalogue
import Concert
import Content
import Digests
import Foundation
import Hosting
import WebServer
import ZipFiles

/// Whole concerts as a ZIP, out and in.
extension ContentEditRoutes {
    private struct Brought: Encodable {
        var concert: Int64
        var revision: Int
        var title: String
        /// A summary of its contents, in a few words.
        var brought: String
        var notes: [String]
    }

    private static let busy = WebResponse.refused(
        503, "busy", "Another ZIP is being packed or read; try again in a moment.")

    /// The concert as the folder of files that `baton content import` takes, in a ZIP.
    @Sendable func exportZip(_ request: WebRequest) async -> WebResponse {
        do {
            let id = try concert(request)
            let document = ContentDocument(try await tree(id))
            let shelf = desk.shelf
            let zip = try await desk.zips.run {
                try await Task.detached { try ContentZip.write(document, shelf: shelf) }.value
            }
            guard let zip else { return Self.busy }
            let name = Self.fileName(document.concert.title, or: "concert-\(id)")
            return WebResponse.file(
                zip.path, contentType: "application/zip", tag: zip.name
            ).with("Content-Disposition", "attachment; filename=\"\(name).zip\"")
        } catch {
            return await unzipped(error)
        }
    }

    /// Into the concert that the address names, as an edit to be undone; or as a concert of its own.
    @Sendable func importZip(_ request: WebRequest) async -> WebResponse {
        guard let file = request.upload else { return .refused(400, "no-file", "Send a ZIP as the body.") }
        let scratch = "\(desk.shelf.arrivals)/\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        do {
            let id = request.parameters["concert"] == nil ? nil : try concert(request)
            let author = author(request)
            let answer = try await desk.zips.run { [desk] () async throws -> WebResponse in
                let files = try await Task.detached {
                    var files = try ContentZip.read(file.path, scratch: scratch)
                    if let library { files.find(in: library) }
                    return files
                }.value
                // Pictures that the server has already take no more room.
                let new = files.files.filter { desk.shelf.path(of: Digest(of: $0.bytes).description) == nil }
                let bytes = new.reduce(0) { $0 + $1.bytes.count }
                let tooMuch = await quota?.refusal(
                    .assets, by: request.person, adding: new.count, bytes: bytes)
                if let refused = tooMuch ?? DiskReserve(folder: desk.shelf.folder).refusal(adding: bytes) {
                    return refused
                }
                let label = "import of \(files.summary)"
                var made = id
                if let id {
                    let document = ContentDocument(try await tree(id))
                    _ = try await files.merge(into: document, of: desk, id: id, author: author, label: label)
                } else {
                    made = try await files.makeConcert(in: desk, author: author, label: label)
                }
                let tree = try await tree(made ?? -1)
                return .json(
                    Brought(
                        concert: made ?? -1, revision: tree.revision, title: tree.root["title"],
                        brought: files.summary, notes: files.notes.map { Self.plain($0, scratch) }))
            }
            return answer ?? Self.busy
        } catch {
            return await unzipped(error, in: scratch)
        }
    }

    private func unzipped(_ error: any Error, in folder: String? = nil) async -> WebResponse {
        guard let fault = error as? ZipError else { return await Self.unread(error, in: folder) }
        return switch fault {
        case .diskFull: .refused(507, "disk-full", fault.sentence)
        case .notWritten: .refused(500, "failed", fault.sentence)
        default: .refused(422, "bad-zip", fault.sentence)
        }
    }

    /// Without the place on the server where the files lay for a moment.
    static func plain(_ sentence: String, _ folder: String) -> String {
        sentence.replacing(folder + "/", with: "").replacing(folder, with: "the ZIP")
    }

    /// Letters and digits that every header field and disk can hold.
    private static func fileName(_ title: String, or other: String) -> String {
        let plain = title.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let words = String(plain).split(separator: "-").joined(separator: "-").prefix(60)
        return words.isEmpty ? other : String(words)
    }
}
