import Foundation
import Sound

/// The recordings in a data folder: `DATA/recordings/DATE-TITLE/part-0001.flac`, with `recording.json` beside.
///
/// Only the owner has access to the folder (0700). May be used on any thread, and by several programs at once: a
/// recorder holds the lock of its recording. A deleted file stays readable for every reader that has it open.
package struct RecordingStore: Sendable {
    /// The folder of all recordings.
    package let folder: String

    /// The beginning of the name of a folder that is being deleted.
    private static let deletedPrefix = "deleted-"

    package init(data: String) { folder = data + "/recordings" }

    /// All recordings, newest first. Their names have local times, which tell no order.
    package func list() -> [Recording] {
        folderNames().compactMap { name in
            let path = folder + "/" + name
            guard let description = RecordingDescription(folder: path) else { return nil }
            return Recording(
                name: name, description, folder: path, isRunning: RecordingLock.isHeld(folder: path))
        }.sorted { ($0.parts.first?.startedAt ?? 0, $0.name) > ($1.parts.first?.startedAt ?? 0, $1.name) }
    }

    /// Finds one recording.
    package func recording(named name: String) throws(RecordingFault) -> Recording {
        let path = folder + "/" + name
        guard folderNames().contains(name), let description = RecordingDescription(folder: path) else {
            throw .missing(name: name)
        }
        return Recording(
            name: name, description, folder: path, isRunning: RecordingLock.isHeld(folder: path))
    }

    /// Deletes a recording with all its parts.
    package func delete(_ name: String) throws(RecordingFault) {
        let path = folder + "/" + name
        guard folderNames().contains(name) else { throw .missing(name: name) }
        guard let lock = RecordingLock(folder: path) else { throw .running(name: name) }
        defer { withExtendedLifetime(lock) {} }
        // After the renaming the recording is gone, even if the program ends before its files are.
        let gone = folder + "/" + Self.deletedPrefix + name + "-\(getpid())"
        guard rename(path, gone) == 0 else {
            throw .notWritten(path: path, reason: String(cString: strerror(errno)))
        }
        try? FileManager.default.removeItem(atPath: gone)
    }

    /// Deletes the parts that ended in a time, and the recordings of which no part is left.
    /// - Parameter times: milliseconds since 1970.
    /// - Returns: the number of deleted parts.
    @discardableResult
    package func deleteParts(endedIn times: Range<Int64>) -> Int {
        var count = 0
        for recording in list() {
            let old = recording.parts.filter { part in part.endedAt.map(times.contains) ?? false }
            guard !old.isEmpty else { continue }
            count += old.count
            if old.count == recording.parts.count, !recording.isRunning {
                try? delete(recording.name)
            } else {
                // The description keeps the part: the list says that it was deleted.
                for part in old where unlink(part.path) != 0 { count -= 1 }
            }
        }
        return count
    }

    /// Completes the recordings that were interrupted, and removes what is left of interrupted deletions.
    /// - Returns: a sentence for each part that was completed.
    @discardableResult
    package func completeInterrupted() -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in entries where name.hasPrefix(Self.deletedPrefix) {
            try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        return folderNames().flatMap { name -> [String] in
            let path = folder + "/" + name
            // Read again with the lock held: until then another program may have ended the part.
            guard RecordingDescription(folder: path)?.parts.contains(where: { $0.end == nil }) == true,
                let lock = RecordingLock(folder: path),
                var description = RecordingDescription(folder: path)
            else { return [] }
            defer { withExtendedLifetime(lock) {} }
            return Self.completeParts(of: &description, in: path).map { "The recording “\(name)”: \($0)" }
        }
    }

    /// Completes the parts whose end is not known, and saves the description. To be called with the lock held.
    /// - Returns: a sentence for each of these parts.
    static func completeParts(of description: inout RecordingDescription, in folder: String) -> [String] {
        var sentences: [String] = []
        var completed: [RecordingDescription.Part] = []
        for var part in description.parts {
            defer { completed.append(part) }
            let path = folder + "/" + part.fileName
            // A file that cannot be read now is left for the next start.
            guard part.end == nil else { continue }
            // A program that ended between description and file left no sound.
            let isMissing = access(path, F_OK) != 0 && errno == ENOENT
            guard let frames = isMissing ? 0 : try? FLACRepair.repair(file: path) else { continue }
            let hertz = FLACStreamHeader(file: path)?.hertz ?? 0
            let seconds = hertz > 0 ? Double(frames) / Double(hertz) : 0
            part.endedAt = part.startedAt + Int64((seconds * 1_000).rounded())
            part.end = .interrupted
            sentences.append(
                "part \(part.number) was interrupted; \(Int(seconds.rounded())) s of it are there.")
        }
        guard !sentences.isEmpty else { return [] }
        description.parts = completed
        try? description.save(in: folder)
        return sentences
    }

    private func folderNames() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.first?.isNumber == true }
    }
}

/// One recording of the list.
package struct Recording: Equatable, Sendable {
    /// A part of which the sound is there, or of which the time of keeping is over.
    package struct Part: Equatable, Sendable {
        package var number: Int
        package var path: String
        /// Milliseconds since 1970.
        package var startedAt: Int64
        /// Milliseconds since 1970; nil while it is recorded.
        package var endedAt: Int64?
        /// The time of the show at the part's first sample, in milliseconds; nil without a show.
        package var showTime: Int64?
        package var seconds: Double
        package var byteCount: Int
        /// The seconds that are missing between the part before and this one; nil for the first, and if nothing is.
        package var gapSeconds: Double?
        package var isInterrupted: Bool
        package var isDeleted: Bool
        /// The seconds of silence in place of sound, because the disk was too slow.
        package var lostSeconds: Double
        package var hertz: Int
        package var channelCount: Int
        /// Changes with the contents of the file.
        package var tag: String
    }

    /// The name of the recording's folder, which identifies it.
    package var name: String
    package var title: String
    package var pieces: [String]
    /// The pieces' folders, in the same order.
    package var folders: [String]
    package var isRunning: Bool
    package var parts: [Part]

    package var seconds: Double { parts.reduce(0) { $0 + $1.seconds } }
    package var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }

    /// Shorter interruptions than this are rounding, not gaps. In seconds.
    private static let shortestGap = 0.05

    init(name: String, _ description: RecordingDescription, folder: String, isRunning: Bool) {
        self.name = name
        self.isRunning = isRunning
        (title, pieces, folders) = (description.title, description.pieces, description.folders)
        var before: Int64?
        parts = description.parts.map { part in
            let path = folder + "/" + part.fileName
            var status = stat()
            let isThere = stat(path, &status) == 0
            let header = isThere ? FLACStreamHeader(file: path) : nil
            let gap = before.map { Double(part.startedAt - $0) / 1_000 }
            let seconds = header?.seconds ?? 0
            before = part.endedAt ?? part.startedAt + Int64(seconds * 1_000)
            return Part(
                number: part.number, path: path, startedAt: part.startedAt, endedAt: part.endedAt,
                showTime: part.showTime, seconds: seconds, byteCount: isThere ? Int(status.st_size) : 0,
                gapSeconds: gap.flatMap { $0 >= Self.shortestGap ? $0 : nil },
                isInterrupted: part.end == .interrupted || part.end == .failed
                    || part.end == nil && !isRunning,
                isDeleted: !isThere,
                lostSeconds: header.map { Double(part.lostSampleCount) / Double($0.hertz) } ?? 0,
                hertz: header?.hertz ?? 0, channelCount: header?.channelCount ?? 0,
                tag: "\(part.number)-\(status.st_size)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)")
        }
    }
}
