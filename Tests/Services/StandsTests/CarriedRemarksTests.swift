import Catalogue
import Foundation
import Rehearsal
import Repository
import Testing

@testable import Hosting
@testable import Stands
@testable import TestHelpers

/// Rooms of an earlier version, which kept their members' public and private remarks, are carried over into the scores.
///
/// The file holds two rooms as that version has left them on the disk: remarks of all shapes by two people in two scores,
/// edited, erased and restored ones, as a state and the events behind it; and what its members saw.
@Suite(.ownThreads) struct CarriedRemarksTests {
    private struct Evening: Decodable {
        struct Room: Decodable {
            var id: RehearsalRoom.ID
            var score: Rehearsal.Score.ID
            var sequence: Int
        }
        struct Seen: Decodable {
            var room: RehearsalRoom.ID
            var user: Rehearsal.User.ID
            var remarks: [Remark]
            var ownRemarks: [Remark]
        }
        var scores: [Rehearsal.Score.ID]
        var rooms: [Room]
        var seen: [Seen]
        var gone: [Remark.ID]
    }

    private let evening: Evening
    private let stage: RoomStage

    init() async throws {
        let file = try Data(
            contentsOf: Repository.root.appending(path: "Tests/Vectors/rooms-with-private-layers.json"))
        evening = try JSONDecoder().decode(Evening.self, from: file)
        let stored = try #require(
            (try JSONSerialization.jsonObject(with: file) as? [String: Any])?["rooms"] as? [[String: Any]])
        stage = try RoomStage()
        // This server reads nothing of what is put there now; later ones do.
        _ = try await stage.hub.waitUntilRoomsLoaded()
        for id in evening.scores { stage.shelf.put(try Self.score(id)) }
        for seen in evening.seen { for score in evening.scores { stage.shelf.give(score, to: seen.user) } }
        for (room, json) in zip(evening.rooms, stored) {
            func bytes(_ value: Any) throws -> [UInt8] {
                Array(try JSONSerialization.data(withJSONObject: value))
            }
            _ = try await stage.hub.store.addRoom(
                room.id.description, score: room.score.description,
                state: try bytes(try #require(json["state"])),
                atMilliseconds: 1)
            var records: [RehearsalRoomRecord] = [
                .state(sequence: room.sequence, json: try bytes(try #require(json["state"])))
            ]
            for event in try #require(json["events"] as? [[String: Any]]) {
                records.append(.event(sequence: try #require(event["seq"] as? Int), json: try bytes(event)))
            }
            try await stage.hub.store.write(records, room: room.id.description)
        }
    }

    private static func score(_ id: Rehearsal.Score.ID) throws -> Rehearsal.Score {
        try Rehearsal.Score(
            id: id, title: "Peer Gynt", composer: "Grieg", movements: [Movement(name: "Halle")],
            parts: [Part(name: "Score", pages: [PageSize(width: 595, height: 842)])])
    }

    /// What a room has of a score, as its rows.
    private func filed(_ remark: Remark, _ layer: ScoreLayer.ID) -> Remark {
        remark.moved(to: layer, of: nil, session: nil)
    }

    private func check(_ stage: RoomStage) async throws {
        for seen in evening.seen {
            let room = try await stage.hub.findRoom(seen.room)
            let content = await room.state.content
            let shown = Set(content.remarks.elements).symmetricDifference(seen.remarks)
            #expect(shown.isEmpty, "the room shows what it showed")
            let own = ScoreLayer.ownID(of: seen.user)
            for score in evening.scores {
                let isOfScore = { (remark: Remark) in (remark.score ?? content.room.score) == score }
                let person = RehearsalRoomUser(id: seen.user, name: "")
                let layers = try #require(await stage.hub.remarkLayers(of: person, in: score))
                let reader = ScoreReader(seen.user, roomLayers: layers)
                let shared = try await stage.catalogue.remarks(
                    onLayer: room.remarkLayerID, of: score, seenBy: reader)
                let found = Set((shared ?? []).map { filed($0, room.remarkLayerID) })
                let wanted = Set(seen.remarks.filter(isOfScore).map { filed($0, room.remarkLayerID) })
                #expect(found.subtracting(wanted).isEmpty && wanted.subtracting(found).isEmpty)
                #expect((shared ?? []).allSatisfy { $0.session != nil })
                let mine = try await stage.catalogue.ownRemarks(of: seen.user, in: score)
                #expect(Set(mine).isSuperset(of: seen.ownRemarks.filter(isOfScore).map { filed($0, own) }))
                let page = try await stage.catalogue.scoreRemarks(of: score, seenBy: reader, after: 0)
                #expect(
                    !evening.gone.contains { gone in
                        page.remarksJSON.contains { $0.contains(gone.description) }
                    })
            }
            #expect(!RoomJSON.encode(content).contains(seen.ownRemarks.first?.id.description ?? "none"))
        }
        let people = Set(evening.seen.map(\.user))
        var own = 0
        for person in people {
            for score in evening.scores {
                own += try await stage.catalogue.ownRemarks(of: person, in: score).count
            }
        }
        #expect(own == evening.seen.reduce(0) { $0 + $1.ownRemarks.count }, "each private one once")
    }

    @Test func everyRemarkOfAnOldRoomIsAmongThoseOfItsScore() async throws {
        #expect(
            evening.seen.allSatisfy { !$0.remarks.isEmpty && !$0.ownRemarks.isEmpty } && !evening.gone.isEmpty
        )
        try await check(RoomStage(after: stage))
        try await check(RoomStage(after: stage))
    }

    @Test func carryingOnAfterACrashInTheMiddleDoublesNothing() async throws {
        let rooms = stage.folder.path + "/rooms.sqlite"
        let kept = stage.folder.path + "/kept"
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: rooms + end, toPath: kept + "/rooms" + end)
        }
        try await check(RoomStage(after: stage))
        // The scores have taken everything, and the rooms' own files are as before.
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: rooms + end) }
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: kept + "/rooms" + end, toPath: rooms + end)
        }
        try await check(RoomStage(after: stage))
    }

    @Test func aScoreThatTheLibraryDoesNotHaveIsLeftForLater() async throws {
        let missing = evening.scores[1]
        stage.shelf.remove(missing)
        let first = try RoomStage(after: stage)
        _ = try await first.hub.waitUntilRoomsLoaded()
        for person in Set(evening.seen.map(\.user)) {
            #expect(try await first.catalogue.ownRemarks(of: person, in: missing).isEmpty)
        }
        stage.shelf.put(try Self.score(missing))
        await first.hub.adoptChangedScore(missing)
        try await first.hub.carryRemarks()
        try await check(first)
    }

    @Test func aServerOnStandbyCarriesNothingUntilItTakesOver() async throws {
        stage.leads.withLock { $0 = false }
        // The other server has written the rooms on the disk.
        stage.hub.dropAllRooms()
        _ = try await stage.hub.waitUntilRoomsLoaded()
        let (person, score) = (try #require(evening.seen.first).user, evening.scores[0])
        #expect(try await stage.catalogue.ownRemarks(of: person, in: score).isEmpty)
        stage.leads.withLock { $0 = true }
        try await stage.hub.carryRemarks()
        try await check(stage)
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { String(decoding: self, as: UTF8.self).contains(text) }
}
