import Foundation
import Hosting
import Platform
import Rehearsal
import Synchronization
import WebServer

/// Analyses the recordings of sessions, one after another, on a thread of the lowest priority. Results are kept on the
/// disk; they contain no sound.
final class TuningAnalyst: Sendable {
    /// As many may wait. Each person may have one; some places are for those who run the evening.
    static let places = ResourceQuota.Limits(total: 12, reserve: 4, perAddress: 12, perAccount: 1)
    /// The results that are kept; the oldest are deleted.
    static let mostResults = 500
    private static let niceness: Int32 = 19

    struct Job: Sendable {
        var session: String
        var score: Rehearsal.Score
        var began: Int64
        var words: [LoggedLivePositionUpdate]

        var key: RehearsedScore { RehearsedScore(session: session, score: score.id) }
    }

    private struct Waiting: Sendable {
        var job: Job
        var place: QuotaLease
    }

    private struct State: Sendable {
        var waiting: [Waiting] = []
        /// True from the moment at which a thread is wanted until it has found nothing more to do.
        var hasThread = false
        var running: RehearsedScore?
        var progress = 0.0
        var cancelled: Set<RehearsedScore> = []
        /// Why the newest analysis of a session failed.
        var faults: [RehearsedScore: String] = [:]
    }

    let sound: RehearsalSound
    private let state = Mutex(State())
    private let quota = SharedResourceQuota(places)
    private var folder: String { sound.data + "/rehearsal-tuning" }

    init(sound: RehearsalSound) { self.sound = sound }

    // MARK: Asking

    /// Puts an analysis in the queue.
    /// - Returns: false if it is there already.
    func begin(_ job: Job, for holder: ResourceQuota.Holder) throws(ResourceQuota.Refusal) -> Bool {
        func isKnown(_ state: State) -> Bool {
            state.running == job.key || state.waiting.contains { $0.job.key == job.key }
        }
        guard !state.withLock({ isKnown($0) }) else { return false }
        let place = try quota.takePlace(holder)
        // Nil if somebody else has put it in the queue meanwhile.
        let starts = state.withLock { state -> Bool? in
            guard !isKnown(state) else { return nil }
            state.faults[job.key] = nil
            state.cancelled.remove(job.key)
            state.waiting.append(Waiting(job: job, place: place))
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard let starts else {
            place.giveBackPlace()
            return false
        }
        if starts { startThread() }
        return true
    }

    /// Ends an analysis, or takes it from the queue.
    func interrupt(_ key: RehearsedScore) {
        state.withLock { state in
            if state.running == key { state.cancelled.insert(key) }
            for gone in state.waiting where gone.job.key == key { gone.place.giveBackPlace() }
            state.waiting.removeAll { $0.job.key == key }
        }
    }

    func interruptAll() {
        let keys = state.withLock { [$0.running].compactMap { $0 } + $0.waiting.map(\.job.key) }
        for key in keys { interrupt(key) }
    }

    /// The state of an analysis, with its newest result.
    func answer(for key: RehearsedScore) -> TuningAnswer {
        let result = readResult(key)
        return state.withLock { state in
            if state.running == key {
                return TuningAnswer(state: .running, progress: state.progress, result: result)
            }
            if state.waiting.contains(where: { $0.job.key == key }) {
                return TuningAnswer(state: .waiting, progress: 0, result: result)
            }
            if let fault = state.faults[key] {
                return TuningAnswer(state: .failed, sentence: fault, result: result)
            }
            return TuningAnswer(state: result == nil ? .none : .done, result: result)
        }
    }

    // MARK: Working

    private func startThread() {
        do throws(RealTimeError) {
            _ = try RealTimeThread(name: "tuning", priority: nil) { [self] _ in
                // For the calling thread only.
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
                while let next = takeNext() {
                    work(next.job)
                    next.place.giveBackPlace()
                }
            }
        } catch {
            state.withLock { state in
                for each in state.waiting {
                    state.faults[each.job.key] = "The server has no thread for this now; try again."
                    each.place.giveBackPlace()
                }
                state.waiting = []
                state.hasThread = false
            }
        }
    }

    private func takeNext() -> Waiting? {
        state.withLock { state in
            let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            (state.running, state.progress) = (next?.job.key, 0)
            if next == nil { state.hasThread = false }
            return next
        }
    }

    private func work(_ job: Job) {
        let analysis = TuningAnalysis(sound: sound, score: job.score, began: job.began) { [self] share in
            state.withLock { state in
                state.progress = share
                return !state.cancelled.contains(job.key)
            }
        }
        var fault: String?
        do throws(TuningAnalysis.Fault) {
            if let result = try analysis.run(job.words) {
                if !write(TuningJSON(result), of: job.key) { fault = "The result could not be written." }
            }
        } catch { fault = error.sentence }
        state.withLock { state in
            state.cancelled.remove(job.key)
            if state.faults.count >= Self.mostResults { state.faults = [:] }
            state.faults[job.key] = fault
        }
    }

    // MARK: Results

    private func file(of key: RehearsedScore) -> String { "\(folder)/\(key.session)-\(key.score).json" }

    private func readResult(_ key: RehearsedScore) -> TuningJSON? {
        FileManager.default.contents(atPath: file(of: key)).flatMap {
            try? JSONDecoder().decode(TuningJSON.self, from: $0)
        }
    }

    private func write(_ result: TuningJSON, of key: RehearsedScore) -> Bool {
        let files = FileManager.default
        guard let bytes = try? JSONEncoder().encode(result),
            DiskReserve(folder: sound.data).refusal(adding: bytes.count) == nil,
            (try? files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]))
                != nil,
            (try? bytes.write(to: URL(fileURLWithPath: file(of: key)), options: .atomic)) != nil
        else { return false }
        let kept = ((try? files.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
            ReplicatedItem.File(name, of: folder)
        }.sorted { $0.changedAt > $1.changedAt }
        for old in kept.dropFirst(Self.mostResults) {
            try? files.removeItem(atPath: folder + "/" + old.path)
        }
        return true
    }
}
