import Basics
import Foundation
import Rehearsal
import Repository
import Testing

/// Tests/Vectors/room-evenings.json holds what a server sent in some evenings, in the orders in which it came to
/// the stands, and the rooms that the stands must then show. This suite holds the file against the server;
/// `Tests/Modules/room.test.js` holds the stand's own code against the file.
@Suite struct RoomVectorsTests {
    private static let file = Repository.root.appending(path: "Tests/Vectors/room-evenings.json")

    @Test func theFileIsWhatTheServerSends() throws {
        // The last two are evenings of several scores.
        let evenings = try (1...8).map { try Evening(seed: $0, hasProgramme: $0 > 6) }
        let text = "[\n" + evenings.map(json).joined(separator: ",\n") + "\n]\n"
        if ProcessInfo.processInfo.environment["BATON_WRITE_VECTORS"] != nil {
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let isSame = try String(contentsOf: Self.file, encoding: .utf8) == text
        #expect(isSame, "The server sends something else now. Write the file anew: BATON_WRITE_VECTORS=1.")
    }
}

/// One evening of random acts, allowed or not.
private struct Evening: Encodable {
    struct Stand: Encodable {
        var name: String
        /// The first message to the stand.
        var snapshot: RoomMessage
        /// The events that reach the stand, by their index in `events`: some twice, some late, some lost; at the end
        /// all again, as after a request.
        var arrivals: [Int]
        /// The content that the stand must hold then.
        var holds: RoomMessage
    }

    var events: [RoomMessage] = []
    var stands: [Stand] = []

    init(seed: UInt64, hasProgramme: Bool) throws {
        var chance = SeededRandomGenerator(seed: seed)
        var hall = Hall.rehearsing()
        if hasProgramme { hall.state.renew(pageCounts: [5, 2], of: id(51)) }
        let members = [anna, bert, carl]
        stands = try members.map {
            let view = try Self.view(hall, $0)
            return Stand(name: $0.name, snapshot: view, arrivals: [], holds: view)
        }
        var visible = [[Int]](repeating: [], count: members.count)
        for _ in 0..<120 {
            let member = members.randomElement(using: &chance)!
            let isOfProgramme = hasProgramme && Int.random(in: 0..<3, using: &chance) == 0
            let event = RoomEvent(
                id: hall.next(),
                act: isOfProgramme
                    ? programmeAct(&hall, member, &chance) : act(&hall, member, &chance))
            hall.now += 5
            guard let effects = try? hall.process(event, by: member) else { continue }
            for taken in delivered(effects) {
                for (index, member) in members.enumerated() where hall.state.maySee(taken, by: member) {
                    visible[index].append(events.count)
                }
                events.append(.acceptedEvent(taken))
            }
        }
        for (index, member) in members.enumerated() {
            let all = visible[index]
            let lucky = all.flatMap { event in
                Array(repeating: event, count: [0, 1, 1, 1, 1, 1, 1, 2].randomElement(using: &chance)!)
            }
            stands[index].arrivals = Self.hurried(lucky, &chance) + all
            stands[index].holds = try Self.view(hall, member)
        }
    }

    /// Each a few places before or after its own.
    private static func hurried(_ events: [Int], _ chance: inout SeededRandomGenerator) -> [Int] {
        let places = events.indices.map {
            (at: $0 + Int.random(in: 0..<8, using: &chance), event: events[$0])
        }
        return places.sorted { ($0.at, $0.event) < ($1.at, $1.event) }.map(\.event)
    }

    private static func view(_ hall: Hall, _ member: ActingUser) throws -> RoomMessage {
        .snapshot(try hall.state.snapshot(for: member))
    }

    /// Any act on the programme that any member may think of, allowed or not.
    private func programmeAct(
        _ hall: inout Hall, _ member: ActingUser, _ chance: inout SeededRandomGenerator
    ) -> RoomAct {
        let entries = hall.state.content.programme.entries.map(\.id)
        let (one, other) = (entries.randomElement(using: &chance)!, entries.randomElement(using: &chance)!)
        switch Int.random(in: 0..<9, using: &chance) {
        case 0...1:
            let entry = ProgrammeEntry(
                id: hall.next(), score: Bool.random(using: &chance) ? id(51) : scoreID)
            return .addScore(ProgrammeAddition(entry, before: Bool.random(using: &chance) ? one : nil))
        case 2: return .dropScore(one)
        case 3: return .moveScore(ProgrammeMove(one, before: Bool.random(using: &chance) ? other : nil))
        case 4: return .setAttacca(AttaccaChange(one, Bool.random(using: &chance)))
        case 5: return .enterSession(hall.next(), part: 0, score: id(51))
        case 6:
            return .placeRemark(
                Remark(
                    id: hall.next(), layer: publicLayer, author: member.user, part: 0, page: 4,
                    anchor: PagePoint(nearX: 0.5, nearY: 0.5), shape: .stamp(.breath), score: id(51)))
        default: return .openScore(one, piece: Bool.random(using: &chance) ? "allegro" : nil)
        }
    }

    /// Any act any member may think of, allowed or not.
    private func act(_ hall: inout Hall, _ member: ActingUser, _ chance: inout SeededRandomGenerator)
        -> RoomAct
    {
        let remarks = hall.state.content.remarks.elements
        let some = remarks.randomElement(using: &chance)?.id ?? id(5)
        let someone = [anna, bert, carl].randomElement(using: &chance)!.user
        switch Int.random(in: 0..<24, using: &chance) {
        case 0...6:
            return .placeRemark(
                hall.remark(by: member, page: Int.random(in: 0..<5, using: &chance)))
        case 7...10: return .editRemark(RemarkEdit(some, page: Int.random(in: 0..<4, using: &chance)))
        case 11...12:
            return .editRemark(
                RemarkEdit(some, anchor: PagePoint(nearX: Double.random(in: 0...1, using: &chance), nearY: 0))
            )
        case 13...14: return .eraseRemark(some)
        case 15: return .restoreRemark(id(UInt64.random(in: 100_000...hall.count, using: &chance)))
        case 16...17:
            return .turnPagesForAll(PageTurnForAll(part: 0, page: Int.random(in: 0..<4, using: &chance)))
        case 18:
            return .pinpoint(Pinpoint(part: 0, page: 1, point: PagePoint(nearX: 0, nearY: 0), measure: 12))
        case 19: return Bool.random(using: &chance) ? .leaveSession : .enterSession(hall.next(), part: 1)
        case 20: return .setRole(someone, Bool.random(using: &chance) ? .leader : .member)
        case 21: return .handOverRoom(someone)
        case 22: return .renameRoom("Room \(Int.random(in: 0..<9, using: &chance))")
        default:
            let layer: RemarkLayer.ID = hall.next()
            return Bool.random(using: &chance)
                ? .beginSession(hall.next(), publicLayer: layer, performances: []) : .endSession
        }
    }
}
