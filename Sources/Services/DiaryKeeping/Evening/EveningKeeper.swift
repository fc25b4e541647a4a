import Catalogue
import Diary
import Foundation
import Hosting
import ShowLog

/// Writes the entry of each evening into the diary, as a proposal, when its concert is over; one for each time that the
/// concert was given in the show.
///
/// It reads the shows' logs and nothing else, so that an evening whose server crashed gets its entry at the next start.
/// An entry that a person has confirmed or changed stays as it is; one that a person removed stays away.
actor EveningKeeper {
    private let store: DiaryStore
    private let showsFolder: String
    private let timeZone: TimeZone
    private let say: @Sendable (String) -> Void
    /// The bytes of each show's log when it was last read.
    private var readBytes: [String: Int] = [:]

    init(store: DiaryStore, data: String, timeZone: TimeZone, say: @escaping @Sendable (String) -> Void) {
        (self.store, self.timeZone, self.say) = (store, timeZone, say)
        showsFolder = data + "/shows"
    }

    /// The largest log that is read, in bytes. An evening's log has some 10 MB.
    private static let mostLogBytes = 512 << 20
    /// The number of newest shows that are looked at.
    private static let mostShows = 200
    /// The number of newest shows that are read again although they have an entry: a server may have crashed in a
    /// second run.
    private static let mostShowsReadAgain = 2

    /// Proposes an entry for each show that has none yet and whose concert is over, and brings proposals up to date.
    /// - Parameter running: the folder of the show that is running, which counts only once its concert is over.
    func proposeEntries(except running: String? = nil) async {
        let ended = shows().filter { $0 != running }
        for show in ended {
            await propose(
                show, isRunning: false, isReadAgain: ended.suffix(Self.mostShowsReadAgain).contains(show))
        }
    }

    /// Proposes the entries of the running show. Does nothing while its concert is not over.
    func proposeEntry(ofRunning show: String) async {
        await propose(show, isRunning: true, isReadAgain: true)
    }

    private func propose(_ show: String, isRunning: Bool, isReadAgain: Bool) async {
        do {
            let first = EveningEntry.id(ofShow: ShowOrigin(ofShow: showsFolder + "/" + show)?.folder ?? show)
            if !isReadAgain {
                guard try await !store.isRemoved(first), try await store.programme(first) == nil else {
                    return
                }
            }
            guard let bytes = logBytes(of: show), readBytes[show] != bytes, bytes < Self.mostLogBytes else {
                return
            }
            readBytes[show] = bytes
            let path = showsFolder + "/" + show
            let runs = await Task.detached(priority: .utility) { try? EveningAccount.runs(ofShow: path) }
                .value
            for account in runs ?? [] where account.isOver || !isRunning {
                try await propose(account, isRunning: isRunning)
            }
        } catch {
            readBytes[show] = nil
            say("The evening “\(show)” could not be entered into the diary: \(error)\n")
        }
    }

    private func propose(_ account: EveningAccount, isRunning: Bool) async throws {
        guard let entry = EveningEntry(account, timeZone: timeZone) else { return }
        let id = entry.programme.id
        guard try await !store.isRemoved(id) else { return }
        let kept = try await store.programme(id)
        // A person has decided: nothing that the log says later changes the entry. What nobody has touched is brought up
        // to date once more when the evening has ended, perhaps within an encore.
        guard kept.map({ $0.isUntouchedProposal || (isRunning && $0.visibility == .proposed) }) ?? true
        else { return }
        guard let programme = entry.programme(after: kept), programme != kept else { return }
        if kept == nil, try await hasEntryOfOtherServer(entry.programme) { return }
        if try await store.ensemble(EveningEntry.houseEnsemble.id) == nil {
            try await store.save(EveningEntry.houseEnsemble)
        }
        try await write(programme, insteadOf: kept)
        if kept == nil { say("The diary has a new entry to confirm: /diary#/concerts/\(id)\n") }
    }

    /// True if another server of the evening has written its entry: the same evening has another folder there, and
    /// nothing else was heard at that time.
    private func hasEntryOfOtherServer(_ entry: ConcertProgramme) async throws -> Bool {
        guard let date = entry.concerts.first?.date, let span = entry.heardSpan else { return false }
        return try await store.programmes(on: date, idsBeginningWith: EveningEntry.idPrefix).contains {
            $0.id != entry.id && $0.heardSpan?.overlaps(span) == true
        }
    }

    /// Writes an entry, unless a person changed or removed it while the log was read.
    private func write(_ entry: ConcertProgramme, insteadOf kept: ConcertProgramme?) async throws {
        if let kept {
            _ = try await store.replace(kept, by: entry)
        } else {
            try await store.save(entry)
        }
    }

    /// The folders of the shows, oldest first.
    private func shows() -> [String] {
        let newestFirst = (try? ServerDataFolder.listShowFolders(in: showsFolder)) ?? []
        return newestFirst.prefix(Self.mostShows).reversed().map(ServerDataFolder.name)
    }

    private func logBytes(of show: String) -> Int? {
        let folder = URL(fileURLWithPath: showsFolder + "/" + show)
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.fileSizeKey])
        let logs = (files ?? []).filter { $0.lastPathComponent.hasPrefix("log-") }
        guard !logs.isEmpty else { return nil }
        return logs.reduce(0) { $0 + ((try? $1.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) }
    }
}

extension ConcertProgramme {
    /// From the first to the last sound of the evening, in milliseconds since 1970; nil if nothing was heard.
    var heardSpan: Range<Int64>? {
        let heard = items.compactMap(\.heard)
        guard let begin = heard.map(\.startMilliseconds).min(), let end = heard.map(\.endMilliseconds).max(),
            begin < end
        else { return nil }
        return begin..<end
    }

    /// Removes encores from the end of the programme that Baton heard and that nobody has edited.
    mutating func removeHeardEncores(where isRemoved: (HeardPerformance) -> Bool) {
        while let last = items.last, last.isEncore, let heard = last.heard, isRemoved(heard) {
            let path = "items/\(items.count - 1)"
            guard !provenance.fields.keys.contains(where: { $0 == path || $0.hasPrefix(path + "/") }) else {
                return
            }
            items.removeLast()
        }
    }

    /// True for an entry that Baton wrote and nobody has changed since.
    var isUntouchedProposal: Bool {
        visibility == .proposed && provenance.usual == .heard && provenance.fields.isEmpty
    }
}
