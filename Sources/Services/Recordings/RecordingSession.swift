import Foundation
import Glibc

/// The recording to which this run of the program adds parts. To be used by one thread.
struct RecordingSession {
    /// The subject of a recording.
    struct Subject: Equatable, Sendable {
        /// The name of the recording's folder; a show that is continued after a restart has the name of before.
        var name: String
        var title: String
        /// The names of the pieces, and their folders.
        var pieces: [String]
        var folders: [String]
    }

    let folder: String
    private let lock: RecordingLock
    private(set) var description: RecordingDescription

    /// Opens the folder of a recording, makes it if it is missing, and completes a part that was interrupted.
    init(_ subject: Subject, in store: RecordingStore) throws(RecordingFault) {
        folder = store.folder + "/" + subject.name
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .notWritten(path: folder, reason: RecordingFault.reason(error))
        }
        lock = try Self.takeLock(folder)
        description =
            RecordingDescription(folder: folder)
            ?? RecordingDescription(title: subject.title, pieces: subject.pieces, folders: subject.folders)
        describe(subject)
        _ = RecordingStore.completeParts(of: &description, in: folder)
    }

    /// Whoever only completes interrupted recordings holds the lock for less than a second.
    private static func takeLock(_ folder: String) throws(RecordingFault) -> RecordingLock {
        for _ in 0..<20 {
            if let lock = RecordingLock(folder: folder) { return lock }
            guard access(folder, W_OK | X_OK) == 0 else {
                throw .notWritten(path: folder, reason: String(cString: strerror(errno)))
            }
            usleep(50_000)
        }
        throw .running(name: (folder as NSString).lastPathComponent)
    }

    /// Notes what the evening is called and which pieces it has by now. If it cannot be written, the next part does it.
    mutating func describe(_ subject: Subject) {
        (description.title, description.pieces, description.folders) = (
            subject.title, subject.pieces, subject.folders
        )
        if !description.parts.isEmpty { try? description.save(in: folder) }
    }

    /// Adds a part, which has no end yet.
    /// - Returns: its number, and the path of its file.
    mutating func beginPart(startedAt: Int64, showTime: Int64?) throws(RecordingFault) -> (Int, String) {
        var number = (description.parts.last?.number ?? 0) + 1
        while access(folder + "/" + RecordingDescription.Part.fileName(number), F_OK) == 0 { number += 1 }
        let part = RecordingDescription.Part(number: number, startedAt: startedAt, showTime: showTime)
        var changed = description
        changed.parts.append(part)
        try changed.save(in: folder)
        description = changed
        return (number, folder + "/" + part.fileName)
    }

    /// Writes how the newest part ended. If that fails, the next start finds it out from the file.
    mutating func endPart(_ end: RecordingDescription.Part.End, endedAt: Int64, lostSampleCount: Int) {
        guard let last = description.parts.indices.last else { return }
        description.parts[last].end = end
        description.parts[last].endedAt = endedAt
        description.parts[last].lostSampleCount = lostSampleCount
        try? description.save(in: folder)
    }

    /// Removes the newest part, in which there is no sound.
    mutating func removeEmptyPart() {
        guard let last = description.parts.popLast() else { return }
        unlink(folder + "/" + last.fileName)
        try? description.save(in: folder)
    }
}
