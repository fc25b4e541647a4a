import Foundation
import Hosting
import Platform
import WebServer

/// The purpose of an uploaded file.
package enum UploadPurpose: String, Codable, Sendable {
    /// A recording: the first one of a piece becomes its main recording.
    case recording
    /// A further recording of the same performance material.
    case reference
    case score
    /// A file of measure times.
    case bars
}

/// An upload that has begun. The file arrives in chunks and can be continued after a cut, a reload and a restart.
package struct DraftUpload: Codable, Equatable, Sendable {
    package var id: String
    package var name: String
    package var byteCount: Int
    package var purpose: UploadPurpose
    /// Milliseconds since 1970.
    package var beganAt: Int64
}

/// The files that are being uploaded.
package actor DraftUploads {
    static let chunkBytes = 4 << 20
    static let mostUploadsOfPiece = 32
    /// An upload that nobody has continued for this long is deleted when another one begins.
    private static let abandonedAfter: Int64 = 7 * 86_400_000
    /// The seconds without a chunk after which an upload may make room for another one.
    private static let secondsUntilIdle = 600.0

    private let store: DraftStore
    private let diskReserve: DiskReserve
    private let readMilliseconds: @Sendable () -> Int64
    private let executor = SerialQueueExecutor(label: "uploads")

    /// The disk is written on a thread of its own.
    nonisolated package var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter diskReserve: space on the disk that is kept for the show.
    init(
        store: DraftStore, diskReserve: DiskReserve, readMilliseconds: @escaping @Sendable () -> Int64
    ) {
        self.store = store
        self.diskReserve = diskReserve
        self.readMilliseconds = readMilliseconds
    }

    static func largestBytes(of purpose: UploadPurpose) -> Int {
        switch purpose {
        case .recording, .reference: 2 << 30
        case .score, .bars: 9_000_000
        }
    }

    func begin(
        piece: String, name: String, byteCount: Int, purpose: UploadPurpose
    ) throws(Refusal) -> DraftUpload {
        let limit = Self.largestBytes(of: purpose)
        guard byteCount > 0 else {
            throw .refused(code: "empty", sentence: "“\(name.prefix(200))” is empty. Export it again.")
        }
        guard byteCount <= limit else {
            throw .refused(
                code: "too-large",
                sentence: "“\(name.prefix(200))” has \(byteCount >> 20) MB; at most \(limit >> 20) MB can be "
                    + "uploaded. Export a recording as FLAC, or cut it into movements.")
        }
        deleteAbandoned(of: piece)
        giveUpIdlest(of: piece)
        guard uploadIDs(of: piece).count < Self.mostUploadsOfPiece else {
            throw .refused(
                code: "too-many", sentence: "Too many uploads of this piece were begun; give some of them up."
            )
        }
        if let free = diskReserve.freeBytes(above: 1).map({ $0 - outstandingBytes }), byteCount > free {
            throw .refused(
                code: "disk-full",
                sentence:
                    "“\(name.prefix(200))” needs \(Self.megabytes(byteCount)) MB, and the server's disk has "
                    + "\(max(free, 0) >> 20) MB left besides what is kept for the show. Free some space, then "
                    + "try again.")
        }
        let upload = DraftUpload(
            id: DraftStore.makeID("u"), name: DraftStore.safeFileName(name), byteCount: byteCount,
            purpose: purpose, beganAt: readMilliseconds())
        let folder = folder(of: piece, upload.id)
        try store.makeFolder(folder, of: piece)
        guard FileManager.default.createFile(atPath: folder + "/" + upload.name, contents: nil) else {
            throw .notWritten(reason: "the file cannot be made")
        }
        guard let json = try? JSONEncoder().encode(upload) else {
            throw .notWritten(reason: "no description")
        }
        // The description comes last: without it there is no upload.
        try DraftFiles.write(Array(json), to: folder + "/" + Self.descriptionFile)
        return upload
    }

    /// The bytes that have not arrived yet of all uploads that have begun: the disk has to hold them too.
    private var outstandingBytes: Int {
        store.pieceIDs().reduce(0) { sum, piece in
            uploadIDs(of: piece).reduce(sum) { sum, id in
                guard let upload = read(id, of: piece) else { return sum }
                let received = DraftFiles.byteCount(path(of: upload, piece: piece)) ?? 0
                return sum + max(0, upload.byteCount - received)
            }
        }
    }

    /// Rounded up, so that no file needs 0 MB.
    private static func megabytes(_ bytes: Int) -> Int { (bytes + (1 << 20) - 1) >> 20 }

    func upload(_ id: String, of piece: String) throws(Refusal) -> (upload: DraftUpload, received: Int) {
        guard let upload = read(id, of: piece),
            let received = DraftFiles.byteCount(path(of: upload, piece: piece))
        else { throw .noSuchUpload }
        return (upload, received)
    }

    /// Appends a chunk. When this returns, it is on the disk.
    /// - Returns: the bytes received so far.
    func append(
        _ chunk: [UInt8], at offset: Int, to id: String, of piece: String
    ) throws(Refusal) -> (upload: DraftUpload, received: Int) {
        let (upload, received) = try upload(id, of: piece)
        guard offset == received else { throw .wrongOffset(received: received) }
        guard received + chunk.count <= upload.byteCount else {
            throw .refused(
                code: "too-large", sentence: "The file is larger than its upload said; choose it again.")
        }
        let path = path(of: upload, piece: piece)
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notWritten(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        do throws(FileWriteError) { try DurableFile.append(chunk, to: descriptor, path: path) } catch {
            // The part of the chunk that was written is taken back, so that the next one can follow.
            ftruncate(descriptor, off_t(received))
            throw .notWritten(reason: error.reason)
        }
        return (upload, received + chunk.count)
    }

    func delete(_ id: String, of piece: String) {
        guard read(id, of: piece) != nil else { return }
        try? FileManager.default.removeItem(atPath: folder(of: piece, id))
    }

    nonisolated func path(of upload: DraftUpload, piece: String) -> String {
        folder(of: piece, upload.id) + "/" + upload.name
    }

    private static let descriptionFile = ".upload.json"

    private nonisolated func folder(of piece: String, _ id: String) -> String {
        store.uploadsFolder(of: piece) + "/" + id
    }

    private func uploadIDs(of piece: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: store.uploadsFolder(of: piece))) ?? []
    }

    private func read(_ id: String, of piece: String) -> DraftUpload? {
        guard id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }),
            let bytes = FileManager.default.contents(
                atPath: folder(of: piece, id) + "/" + Self.descriptionFile)
        else { return nil }
        return try? JSONDecoder().decode(DraftUpload.self, from: bytes)
    }

    /// Deletes the upload that has received nothing for the longest time, if there is no place for another one.
    private func giveUpIdlest(of piece: String) {
        let ids = uploadIDs(of: piece)
        guard ids.count >= Self.mostUploadsOfPiece else { return }
        let lastReceived = ids.compactMap { id -> (id: String, date: Date)? in
            guard let upload = read(id, of: piece) else { return nil }
            let values = try? FileManager.default.attributesOfItem(atPath: path(of: upload, piece: piece))
            return (values?[.modificationDate] as? Date).map { (id, $0) }
        }
        let now = Date(timeIntervalSince1970: Double(readMilliseconds()) / 1_000)
        guard let idlest = lastReceived.min(by: { $0.date < $1.date }),
            now.timeIntervalSince(idlest.date) > Self.secondsUntilIdle
        else { return }
        delete(idlest.id, of: piece)
    }

    private func deleteAbandoned(of piece: String) {
        let now = readMilliseconds()
        for id in uploadIDs(of: piece) {
            if let upload = read(id, of: piece), now - upload.beganAt < Self.abandonedAfter { continue }
            try? FileManager.default.removeItem(atPath: folder(of: piece, id))
        }
    }
}
