import Catalogue
import Foundation
import Glibc
import Hosting
import Platform

/// Copies the files of an asset store from the active server; each file is named by its digest.
struct AssetReplicator: Sendable {
    /// Name of the file store in replication requests: `assets` or `scores`.
    package let storeName: String
    let assetStore: AssetStore
    /// Size of the largest file that is copied, in bytes. The largest files are scores.
    static let mostFileBytes: Int64 = 256 << 20

    typealias SendRequest =
        @Sendable (ReplicationRequest) async throws(ReplicationError) -> (
            ReplicationAnswer, ArraySlice<UInt8>
        )

    /// Fetches all files that this server lacks. A file is stored only if it is complete and matches its digest.
    func fetchMissingFiles(_ ask: SendRequest) async throws(ReplicationError) {
        let here = Self.listContentFiles(assetStore.folder)
        let question = ReplicationRequest(subject: .files, of: storeName, name: Self.digestOfFileList(here))
        guard let there = try await ask(question).0.files else { return }
        let known = Dictionary(uniqueKeysWithValues: here.map { ($0.name, $0.bytes) })
        for file in there where known[file.name] != file.bytes {
            guard let digest = Digest(file.name), digest.description == file.name else {
                throw .invalidFileName(String(file.name.prefix(80)))
            }
            // The sizes differ, so one of the two files is damaged. If the local one matches its digest, it is kept.
            if known[file.name] != nil, matchesDigest(digest) { continue }
            guard (0...Self.mostFileBytes).contains(file.bytes) else {
                throw .fileTooLarge(file.name, bytes: file.bytes)
            }
            try await fetchFile(file, digest, ask)
        }
    }

    private func matchesDigest(_ digest: Digest) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: "\(assetStore.folder)/\(digest.description)") else {
            return false
        }
        defer { try? handle.close() }
        var hash = SHA256()
        while let bytes = try? handle.read(upToCount: 1 << 20), !bytes.isEmpty {
            bytes.withUnsafeBytes { hash.update($0) }
        }
        return hash.finished() == digest
    }

    private func fetchFile(
        _ file: ReplicationAnswer.File, _ digest: Digest, _ ask: SendRequest
    ) async throws(ReplicationError) {
        let path = "\(assetStore.uploadFolder)/copy-\(file.name)"
        guard DiskReserve(folder: assetStore.folder).refusal(adding: Int(file.bytes)) == nil else {
            throw .cannotWriteFile(path: path, reason: "the last of the disk is kept for the show")
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannotWriteFile(path: path, reason: Self.systemErrorText()) }
        defer { close(descriptor) }
        var hash = SHA256()
        var offset: Int64 = 0
        repeat {
            let question = ReplicationRequest(subject: .file, of: storeName, name: file.name, offset: offset)
            let (answer, bytes) = try await ask(question)
            guard answer.bytes == file.bytes, offset + Int64(bytes.count) <= file.bytes,
                !bytes.isEmpty || file.bytes == 0
            else { throw .wrongDigest(file.name) }
            bytes.withUnsafeBytes { hash.update($0) }
            try Self.write(bytes, to: descriptor, path)
            offset += Int64(bytes.count)
        } while offset < file.bytes
        guard hash.finished() == digest else { throw .wrongDigest(file.name) }
        do throws(CatalogueError) { try assetStore.acceptUpload(path, digest: file.name) } catch {
            throw .storeFailed(error)
        }
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String
    ) throws(ReplicationError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw .cannotWriteFile(path: path, reason: systemErrorText())
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func systemErrorText() -> String { String(cString: strerror(errno)) }

    /// Lists the stored files of a folder, sorted by name. Files that are not named by a digest are left out.
    static func listContentFiles(_ folder: String) -> [ReplicationAnswer.File] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.utf8.count == 64 && Digest($0) != nil }.sorted().compactMap { name in
            var status = stat()
            guard lstat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                return nil
            }
            return ReplicationAnswer.File(name: name, bytes: Int64(status.st_size))
        }
    }

    static func digestOfFileList(_ files: [ReplicationAnswer.File]) -> String {
        Digest(of: Array(files.map { "\($0.name) \($0.bytes)\n" }.joined().utf8)).description
    }
}
