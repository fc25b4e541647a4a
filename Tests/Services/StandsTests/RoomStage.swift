import Basics
import Catalogue
import Foundation
import NIOCore
import Platform
import Podium
import Rehearsal
import Score
import Synchronization

@testable import Hosting
@testable import Stands
@testable import TestHelpers
@testable import WebServer

func roomID<Thing>(_ number: UInt64, of thing: Thing.Type = Thing.self) -> ObjectID<Thing> {
    ObjectID(high: 0x4000, low: 0x8000_0000_0000_0000 | number)
}

let anna = RehearsalRoomUser(id: roomID(11), name: "Anna")
let bert = RehearsalRoomUser(id: roomID(12), name: "Bert")
let carl = RehearsalRoomUser(id: roomID(13), name: "Carl")
let librarian = RehearsalRoomUser(id: roomID(19), name: "Lib", isLibrarian: true)

/// Forty measures of two seconds: the full score on four pages of ten, the viola on two of twenty.
func rehearsedScore() throws -> Rehearsal.Score {
    let page = PageSize(width: 595, height: 842)
    return try Rehearsal.Score(
        id: roomID(50), title: "Sinfonie", composer: "Dvořák",
        movements: [Movement(name: "Allegro", piece: "allegro")],
        parts: [
            Part(
                name: "Full score", pages: Array(repeating: page, count: 4),
                places: (0..<4).map { MeasureBox(page: $0, first: 10 * $0 + 1, last: 10 * $0 + 10) }),
            Part(
                name: "Viola", pages: [page, page],
                places: (0..<2).map { MeasureBox(page: $0, first: 20 * $0 + 1, last: 20 * $0 + 20) }),
        ])
}

/// Rooms over a folder, with clocks that stand until they are moved and no network.
final class RoomStage: Sendable {
    let folder: ServeFolder
    let shelf: MemoryShelf
    let score: Rehearsal.Score
    let hub: RoomHub
    let showMilliseconds = Mutex<Int64>(0)
    let commands = Mutex<[String]>([])
    let staff = Mutex<Set<Rehearsal.User.ID>>([anna.id])
    let leads = Mutex(true)
    let told = Mutex<[PodiumEvent]>([])
    let catalogue: CatalogueStore

    /// - Parameters:
    ///   - old: a stage whose server was killed: the new one finds what is on the disk.
    ///   - synchronize: waits for the disk; gives 0 or the system's error number.
    init(
        after old: RoomStage? = nil, bytesOfAccount: Int = RemarkSpace.mostBytesOfAccount,
        synchronize: @escaping @Sendable (String) -> CInt = { _ in 0 }
    ) throws {
        folder = try old?.folder ?? ServeFolder()
        catalogue = try CatalogueStore(path: folder.path + "/catalogue.sqlite")
        score = try rehearsedScore()
        shelf = old?.shelf ?? MemoryShelf([score])
        if old == nil { for person in [anna, bert, carl] { shelf.give(score.id, to: person.id) } }
        var pieces = ProgrammePieceMaps()
        for (piece, count) in [("allegro", 40), ("presto", 30)] {
            pieces.measureMapsByPiece[piece] = try MeasureMap(
                marks: (0..<count).map {
                    PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: 2 * Double($0)))
                }, end: ReferenceTime(seconds: 2 * Double(count)))
        }
        let pieceMaps = pieces
        let wall = Mutex<Int64>(1_790_000_000_000)
        let place = OpenedLater<Weakly>()
        hub = RoomHub(
            scoreLookup: shelf,
            dependencies: RoomActor.RoomDependencies(
                store: try RehearsalRoomStore(
                    path: folder.path + "/rooms.sqlite", synchronize: synchronize),
                catalogue: catalogue, remarkSpace: RemarkSpace(catalogue, accountLimit: bytesOfAccount),
                readPieceMaps: { pieceMaps },
                showClock: {
                    ShowTime(milliseconds: place.value?.stage?.showMilliseconds.withLock { $0 } ?? 0)
                },
                wallClock: {
                    CalendarTime(
                        milliseconds: wall.withLock {
                            $0 += 1
                            return $0
                        })
                },
                sendPinpointCommand: { command, folder, name in
                    let words = "\(name): \(command.words.joined(separator: " ")) in \(folder)"
                    place.value?.stage?.commands.withLock { $0.append(words) }
                },
                worksOnConcert: { user in place.value?.stage?.staff.withLock { $0.contains(user) } ?? false },
                isActiveServer: { place.value?.stage?.leads.withLock { $0 } ?? true },
                writeFaultReporter: RoomWriteFaultReporter { event in
                    place.value?.stage?.told.withLock { $0.append(event) }
                }),
            hasher: PasswordHasher(cost: .least))
        place.set(Weakly(self))
    }

    /// A room of Anna's.
    @discardableResult
    func makeRoom(
        _ number: UInt64 = 100, passkey: String? = nil, published: Bool = true,
        by owner: RehearsalRoomUser = anna
    ) async throws -> RoomActor {
        try await hub.createRoom(
            RoomHub.RoomCreationRequest(
                id: roomID(number), membership: roomID(number + 1), score: score.id, name: "Room \(number)",
                passkey: passkey, published: published), by: owner)
    }

    /// Sends acts as somebody's stand; each gets an id of its own.
    @discardableResult
    func send(
        _ acts: [RoomAct], by person: RehearsalRoomUser, to room: RoomActor, ids: [RoomEvent.ID]? = nil,
        stand: UInt64 = 700
    ) async throws -> [RoomMessage] {
        let ids = ids ?? acts.map { _ in RoomEvent.ID.new() }
        let events = zip(ids, acts).map { ReceivedStandMessage.message(.event(RoomEvent(id: $0, act: $1))) }
        return try await hub.countPublishing(of: events, by: person) { mayPublish throws(Refusal) in
            try await room.processMessages(
                events, from: StandKey(user: person.id, stand: roomID(stand)),
                by: try await hub.makeActingUser(person, of: room, mayPublishAnotherRoom: mayPublish))
        }
    }

    func join(_ person: RehearsalRoomUser, _ room: RoomActor) async throws {
        try await send([.joinRoom(roomID(200 + person.id.low & 0xFF))], by: person, to: room)
    }

    /// Connects a stand.
    func stand(
        _ person: RehearsalRoomUser, _ room: RoomActor, seen: EventCursor? = nil, number: UInt64 = 700
    ) async throws -> HeardStand {
        let key = StandKey(user: person.id, stand: roomID(number))
        let stand = HeardStand(key)
        try await room.connectStand(
            key, person, try await hub.makeActingUser(person, of: room), seen: seen, score: score,
            settings: nil,
            stream: stand.stream)
        return stand
    }

    func lay(
        _ part: Int, page: Int = 0, pair: SheetHalf? = nil, on stand: HeardStand, in room: RoomActor,
        by person: RehearsalRoomUser
    ) async throws {
        try await room.setUpStand(
            stand.key, StandSetup(part: part, page: page, settings: StandSettings(), pair: pair),
            by: try await hub.makeActingUser(person, of: room))
    }

    /// The music is at the beginning of a measure of the reference, counted from 0.
    func play(_ played: Int, at seconds: Double, rehearsal: Bool = false, in room: RoomActor) async {
        let now = ShowTime(milliseconds: Int64(seconds * 1_000))
        showMilliseconds.withLock { $0 = now.milliseconds }
        let word = LivePositionUpdate(
            movement: 0, position: ScorePosition(played: played, fraction: 0), measure: played + 1,
            trust: .playing)
        await room.processPerformancePosition(
            PerformancePosition(
                pieceFolder: "allegro", liveUpdate: word, showTime: now, pinpointsMoveFollower: rehearsal))
    }
}

/// @unchecked: written once.
private final class Weakly: @unchecked Sendable {
    private(set) weak var stage: RoomStage?

    init(_ stage: RoomStage) { self.stage = stage }
}

/// A stand that keeps what it was told.
final class HeardStand: Sendable {
    let key: StandKey
    let stream = PersonalStream(slots: Stand.StreamSlot.slotCount)

    init(_ key: StandKey) { self.key = key }

    /// The messages since the last call.
    func heard() throws -> [RoomMessage] {
        var messages: [RoomMessage] = []
        while case .messages(let frames) = stream.takeNextData() {
            for frame in frames {
                let lines = frame.httpChunk.readableBytesView.split(separator: UInt8(ascii: "\n"))
                guard !lines.contains(where: { $0.elementsEqual("event: beat".utf8) }),
                    let line = lines.first(where: { $0.starts(with: "data: ".utf8) })
                else { continue }
                messages.append(try RoomJSON.decode(RoomMessage.self, from: Array(line.dropFirst(6))))
            }
        }
        return messages
    }

    func turns() throws -> [PageTurnForAll] {
        try heard().compactMap {
            if case .acceptedEvent(let event) = $0, case .turnPagesForAll(let turn) = event.act {
                turn
            } else {
                nil
            }
        }
    }
}

extension RoomMessage {
    var refusal: RoomRefusalCode? { if case .refused(_, let refusal) = self { refusal.code } else { nil } }
    var snapshot: RoomSnapshot? { if case .snapshot(let snapshot) = self { snapshot } else { nil } }
    var event: SequencedEvent? { if case .acceptedEvent(let event) = self { event } else { nil } }
    var followed: PageView? { if case .followerPage(let view) = self { view } else { nil } }
    var receipt: Int? { if case .receipt(_, let sequence) = self { sequence } else { nil } }
}

func madeRemark(_ number: UInt64, layer: RemarkLayer.ID, by person: RehearsalRoomUser) throws -> Remark {
    Remark(
        id: roomID(number), layer: layer, author: person.id, part: 0, page: 0,
        anchor: try PagePoint(x: 100, y: 100), shape: .text(try RemarkText("note \(number)")))
}

/// Holds the stage that the hub's surroundings belong to: the stage exists only after its hub.
private final class OpenedLater<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    var value: Value? { held.withLock { $0 } }

    func set(_ value: Value) { held.withLock { $0 = value } }
}
