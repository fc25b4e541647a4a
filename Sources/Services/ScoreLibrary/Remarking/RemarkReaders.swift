import Foundation
import Hosting
import Rehearsal
import Synchronization
import WebServer

/// The connected readers of scores, who are told when something changed. They then ask for what they lack, so that a
/// word that gets lost loses nothing.
final class RemarkReaders: Sendable {
    private struct Connected {
        var reader: RehearsalRoomUser
        var stream: PersonalStream
        var openedAt = ContinuousClock.now
    }

    private static let changeSlot = 0
    private static let beatSlot = 1
    /// A stream that no browser has fetched is closed after this time.
    private static let unservedTimeout = Duration.seconds(30)
    private let connected = Mutex<[Rehearsal.Score.ID: [Connected]]>([:])
    private let changeMessage = EncodedStreamMessage(Array(#"{"v":1,"changed":true}"#.utf8))

    /// Connects a reader of a score.
    func connect(_ reader: RehearsalRoomUser, to score: Rehearsal.Score.ID) -> PersonalStream {
        let stream = PersonalStream(slots: 2) { [weak self] stream in self?.remove(stream, from: score) }
        connected.withLock { $0[score, default: []].append(Connected(reader: reader, stream: stream)) }
        stream.sendFirstMessages([EncodedStreamMessage(Array(#"{"v":1,"hello":true}"#.utf8))])
        return stream
    }

    private func remove(_ stream: PersonalStream, from score: Rehearsal.Score.ID) {
        connected.withLock { connected in
            connected[score]?.removeAll { $0.stream === stream }
            if connected[score]?.isEmpty == true { connected[score] = nil }
        }
    }

    /// Tells the stands of some users, or of all, that something of a score changed.
    /// - Parameter users: nil for all readers of the score.
    func announce(_ score: Rehearsal.Score.ID, to users: Set<Rehearsal.User.ID>? = nil) {
        let streams = connected.withLock { connected in
            (connected[score] ?? []).filter { users?.contains($0.reader.id) ?? true }.map(\.stream)
        }
        PersonalStream.replaceSlotValue(Self.changeSlot, changeMessage, of: streams)
    }

    func announceToAll() {
        let streams = connected.withLock { $0.values.flatMap { $0.map(\.stream) } }
        PersonalStream.replaceSlotValue(Self.changeSlot, changeMessage, of: streams)
    }

    func sendBeat() {
        let all = connected.withLock { $0.values.flatMap(\.self) }
        guard !all.isEmpty else { return }
        let now = Int64((Date.now.timeIntervalSince1970 * 1_000).rounded())
        let beat = EncodedStreamMessage(JSONBody.encode(["at": now]), event: "beat")
        PersonalStream.replaceSlotValue(Self.beatSlot, beat, of: all.map(\.stream))
        for one in all where !one.stream.hasConnection && .now - one.openedAt > Self.unservedTimeout {
            one.stream.close()
        }
    }

    /// The readers of each score.
    var all: [Rehearsal.Score.ID: Set<RehearsalRoomUser>] {
        connected.withLock { $0.mapValues { Set($0.map(\.reader)) } }
    }

    func disconnect(_ user: Rehearsal.User.ID, from score: Rehearsal.Score.ID) {
        let streams = connected.withLock { connected in
            (connected[score] ?? []).filter { $0.reader.id == user }.map(\.stream)
        }
        for stream in streams { stream.close() }
    }
}
