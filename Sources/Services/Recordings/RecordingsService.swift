import Foundation
import Hosting
import Platform
import ServiceLifecycle
import WebServer

/// The service that keeps the recordings of the evenings: lists them, sends and deletes them, says whether the sound
/// is recorded now, and deletes those whose time is over.
package struct RecordingsService: HostedService {
    let store: RecordingStore
    /// Records the present evening; nil if this server does not record.
    let recorder: SoundRecorder?
    /// The reason why this server does not record, for people; only used without a recorder.
    let offSentence: String
    let retention: RecordingRetention
    let stream: ConsoleStream
    let say: @Sendable (String) -> Void
    let erasures: RecordingErasures?

    /// The interval at which the state is sent to consoles.
    private static let publishingInterval = Duration.milliseconds(500)
    /// The time between two searches for recordings that are to be deleted, and before the first one.
    static let retentionInterval = Duration.seconds(3_600)

    /// The time between two searches for what is to be deleted because the other server deleted it.
    private static let erasureInterval = Duration.seconds(60)

    /// Creates the service.
    /// - Parameters:
    ///   - recorder: nil if this server does not record.
    ///   - offSentence: says for people why it does not.
    ///   - erasures: notes deletions for the other server; nil if there is none.
    ///   - say: called with messages for people.
    package init(
        store: RecordingStore, recorder: SoundRecorder?, offSentence: String, retention: RecordingRetention,
        stream: ConsoleStream, erasures: RecordingErasures? = nil, say: @escaping @Sendable (String) -> Void
    ) {
        self.erasures = erasures
        (self.store, self.recorder, self.offSentence) = (store, recorder, offSentence)
        (self.retention, self.stream, self.say) = (retention, stream, say)
    }

    /// Each server keeps what it heard itself, so recordings are also deleted on a server that is not active.
    package var refusesChangesWhileInactive: Bool { true }

    package var watchedFaults: [WatchedFault] {
        guard let recorder else { return [] }
        return [WatchedFault(id: "recording") { _ in recorder.status.faultSentence }]
    }

    package var replicatedStores: [ReplicatedStore] {
        [
            ReplicatedStore(.catalogue) { [erasures, store] tables in
                if !tables.isDisjoint(with: ["erasure", "all"]) { await erasures?.carryOut(in: store) }
            }
        ]
    }

    package var preShowCheckItems: [PreShowCheckItem] {
        [
            PreShowCheckItem(id: "recording", title: "Recording") { [recorder, offSentence] _ in
                guard let recorder else { return PreShowCheckVerdict(.skipped, offSentence) }
                return Self.checkRecording(recorder.status)
            }
        ]
    }

    /// The pre-show check warns if there is space for fewer hours than an evening takes.
    private static let eveningHours = 4.0

    static func checkRecording(_ status: RecorderStatus) -> PreShowCheckVerdict {
        if let fault = status.faultSentence { return PreShowCheckVerdict(.fail, fault) }
        guard let hours = status.secondsOfSpace.map({ $0 / 3_600 }), hours < eveningHours else {
            return PreShowCheckVerdict(.pass, status.sentence)
        }
        return PreShowCheckVerdict(
            .warn,
            "The sound is recorded, but the disk has space for only \(hours.decimalText(1)) hours of it. Delete "
                + "earlier recordings or other files.")
    }

    package func run() async throws {
        // Without real-time priority, so that it never takes time from the threads that follow.
        let thread = try recorder.map { recorder in
            try RealTimeThread(name: "record", priority: nil) { recorder.run(until: $0) }
        }
        for sentence in store.completeInterrupted() { say(sentence + "\n") }
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup { group in
                group.addTask { await publishState() }
                group.addTask { await deleteOldRecordings() }
                group.addTask { await carryOutErasures() }
            }
        }
        thread?.stop()
    }

    private func publishState() async {
        while !Task.isCancelled {
            stream.publish(.recording, section)
            try? await Task.sleep(for: Self.publishingInterval)
        }
    }

    var section: RecordingSection {
        RecordingSection(status: recorder?.status, offSentence: offSentence, retention: retention)
    }

    private static var wallMilliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// Again and again: what was being recorded when an erasure arrived is deleted when it has ended.
    private func carryOutErasures() async {
        guard let erasures else { return }
        while !Task.isCancelled {
            await erasures.carryOut(in: store)
            try? await Task.sleep(for: Self.erasureInterval)
        }
    }

    private func deleteOldRecordings() async {
        var clock = RetentionClock(
            file: store.folder + "/clock", wallMilliseconds: Self.wallMilliseconds)
        var checked = ContinuousClock.now
        while true {
            try? await Task.sleep(for: Self.retentionInterval)
            if Task.isCancelled { return }
            clock.advance(by: ContinuousClock.now - checked)
            checked = .now
            clock.store(wallMilliseconds: Self.wallMilliseconds)
            // Whichever clock is behind decides, so that nothing is deleted too early.
            let now = min(clock.milliseconds, Self.wallMilliseconds)
            let count = retention.deleteExpired(
                in: store, now: Date(timeIntervalSince1970: Double(now) / 1_000))
            if count > 0 {
                say("\(count) recorded parts older than \(retention.text) were deleted.\n")
            }
        }
    }
}

/// The time for which recordings are kept.
package enum RecordingRetention: Equatable, Sendable {
    case forever
    case days(Int)

    package static let standard = days(30)

    package var text: String {
        switch self {
        case .forever: "until they are deleted by hand"
        case .days(let count): count == 1 ? "1 day" : "\(count) days"
        }
    }

    /// The beginning of 2026, in milliseconds since 1970. What ended before was recorded by a machine whose clock was
    /// wrong, and nobody knows how old it is.
    private static let earliestMilliseconds: Int64 = 1_767_225_600_000

    /// Deletes the parts that are older. Parts of a machine whose clock was wrong stay.
    /// - Returns: their number.
    @discardableResult
    package func deleteExpired(in store: RecordingStore, now: Date) -> Int {
        guard case .days(let count) = self else { return 0 }
        let limit = now.addingTimeInterval(-Double(count) * 86_400)
        let limitMilliseconds = Int64(limit.timeIntervalSince1970 * 1_000)
        guard limitMilliseconds > Self.earliestMilliseconds else { return 0 }
        return store.deleteParts(endedIn: Self.earliestMilliseconds..<limitMilliseconds)
    }
}

/// The state of the recording as the console shows it.
struct RecordingSection: Encodable, Equatable {
    /// `recording`, `waiting` for the first sound, `stopped` by a fault, or `off`.
    var state: String
    var sentence: String
    /// The name of the recording; nil if the server does not record.
    var name: String?
    /// Seconds recorded since the server started.
    var seconds: Int
    var lostSeconds: Double
    /// Hours for which there is space; nil if unknown.
    var hoursOfSpace: Double?
    /// Days for which recordings are kept; nil for ever.
    var keptDays: Int?

    init(status: RecorderStatus?, offSentence: String, retention: RecordingRetention) {
        if case .days(let count) = retention { keptDays = count }
        name = status?.name
        sentence = status?.sentence ?? offSentence
        seconds = Int(status?.seconds ?? 0)
        lostSeconds = roundedToThousandths(status?.lostSeconds ?? 0)
        hoursOfSpace = status?.secondsOfSpace.map { ($0 / 360).rounded() / 10 }
        state =
            switch status {
            case nil: "off"
            case let status? where status.isRecording: "recording"
            case let status? where status.trouble != nil: "stopped"
            default: "waiting"
            }
    }
}

extension ConsoleSection {
    /// The section of the consoles' stream that says whether the sound is recorded.
    static let recording = Self("recording")
}
