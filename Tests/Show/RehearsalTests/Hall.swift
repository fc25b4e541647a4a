import Basics
import Foundation
import Score

@testable import Rehearsal

/// As the wire and the log write.
func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try! encoder.encode(value), as: UTF8.self)
}

func back<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
}

func id<Thing>(_ number: UInt64, of thing: Thing.Type = Thing.self) -> ObjectID<Thing> {
    ObjectID(high: 0x4000, low: 0x8000_0000_0000_0000 | number)
}

let anna = ActingUser(user: id(1), name: "Anna", hasScoreGrant: true, knowsPasskey: true)
let bert = ActingUser(user: id(2), name: "Bert", hasScoreGrant: true, knowsPasskey: true)
let carl = ActingUser(user: id(3), name: "Carl", hasScoreGrant: true, knowsPasskey: true)

let publicLayer: RemarkLayer.ID = id(900)
let scoreID: Score.ID = id(50)

/// The layer of the room in its scores.
let roomLayer: ScoreLayer.ID = id(990)

/// Forty measures of two seconds. The full score has four pages of ten in two systems each, the viola two of
/// twenty without boxes and rests in 5–8 and 33–40.
func symphony() throws -> Score {
    func box(_ place: Int) throws -> PageRectangle {
        let left = Double(place % 5) * 0.2
        return try place < 5
            ? PageRectangle(left: left, top: 0.1, right: left + 0.2, bottom: 0.4)
            : PageRectangle(left: left, top: 0.6, right: left + 0.2, bottom: 0.9)
    }
    let page = PageSize(width: 595, height: 842)
    let full = try Part(
        name: "Full score", pages: Array(repeating: page, count: 4),
        places: (0..<40).map {
            try MeasureBox(page: $0 / 10, first: $0 + 1, last: $0 + 1, box: box($0 % 10))
        })
    let viola = try Part(
        name: "Viola", pages: [page, page],
        places: [MeasureBox(page: 0, first: 1, last: 20), MeasureBox(page: 1, first: 21, last: 40)],
        rests: [MultiMeasureRest(first: 5, last: 8), MultiMeasureRest(first: 33, last: 40)])
    return try Score(
        id: scoreID, title: "Sinfonie Nr. 1", composer: "Antonín Dvořák", lyricist: "", arranger: "J. Müller",
        movements: [Movement(name: "Allegro", piece: "allegro")], parts: [full, viola])
}

func measures(_ printed: [Int] = Array(1...40), seconds: Double = 2) throws -> MeasureMap {
    try MeasureMap(
        marks: printed.enumerated().map {
            PlayedMeasure(printed: $0.element, onset: ReferenceTime(seconds: Double($0.offset) * seconds))
        }, end: ReferenceTime(seconds: Double(printed.count) * seconds))
}

/// A room, its clock, and ids that count up.
struct Hall {
    var state: RoomState
    var now: Int64 = 1_795_000_000_000
    var count: UInt64 = 100_000
    /// The remarks that the scores have, by layer and id.
    private var rows: [Row: ScoreWriter.KnownRemark] = [:]

    private struct Row: Hashable {
        var layer: ScoreLayer.ID
        var id: Remark.ID
    }

    init(passkey: String? = "hash", published: Bool = true) {
        let room = try! RehearsalRoom(
            id: id(10), score: scoreID, name: "Lessons 1–3", passkeyHash: passkey, owner: anna.user,
            isPublished: published)
        state = RoomState(room: room, owner: id(20), ownerName: "Anna", pageCounts: [4, 2])
    }

    /// With a session, and Bert and Carl in it.
    static func rehearsing() -> Hall {
        var hall = Hall()
        for member in [bert, carl] { hall.say(.joinRoom(id(20 + member.user.low & 0xFF)), member) }
        hall.say(.beginSession(id(30), publicLayer: publicLayer, performances: []), anna)
        for member in [anna, bert, carl] {
            hall.say(.enterSession(id(40 + member.user.low & 0xFF), part: 0), member)
        }
        return hall
    }

    mutating func next<Thing>() -> ObjectID<Thing> {
        count += 1
        return id(count)
    }

    @discardableResult
    mutating func say(_ act: RoomAct, _ member: ActingUser, id: RoomEvent.ID? = nil) -> [RoomEffect] {
        now += 10
        return try! process(RoomEvent(id: id ?? next(), act: act), by: member)
    }

    /// What the room does with an event. Its score decides first about remarks, as in the running server.
    mutating func process(_ event: RoomEvent, by member: ActingUser) throws(RoomRefusal) -> [RoomEffect] {
        if let request = try state.scoreRequest(for: event, by: member, layer: roomLayer) {
            try write(request, by: member)
            guard request.isOfRoom else { return [.receipt(event.id, sequence: state.sequence)] }
        }
        return try state.process(event, by: member, at: CalendarTime(milliseconds: now))
    }

    /// Writes remarks of a member into the score until there are this many; the room does not show them.
    mutating func fill(_ member: ActingUser, to count: Int) {
        while rows.count < count {
            let remark = remark(by: member, on: roomLayer)
            rows[Row(layer: roomLayer, id: remark.id)] = .init(remark)
        }
    }

    /// Writes into the score what a member may write; a score as the catalogue keeps it.
    private mutating func write(_ request: RoomState.ScoreRequest, by member: ActingUser) throws(RoomRefusal)
    {
        let room = ScoreLayer.everybody(
            in: state.content.room, id: roomLayer, session: state.content.session?.id)
        let counts = state.pageCounts(of: request.score ?? scoreID) ?? []
        let writer = ScoreWriter(
            user: member.user, roomLayers: [room], isLibrarian: false, pageCounts: counts)
        func layer(_ id: ScoreLayer.ID) -> ScoreLayer? {
            [room, .own(of: member.user)].first { $0.id == id }
        }
        func known(_ id: Remark.ID) -> ScoreWriter.KnownRemark? {
            rows[Row(layer: roomLayer, id: id)]
                ?? rows[Row(layer: ScoreLayer.ownID(of: member.user), id: id)]
        }
        func standing(_ id: ScoreLayer.ID) -> ScoreWriter.Counts {
            ScoreWriter.Counts(
                ofLayer: rows.values.count { !$0.isErased && $0.remark.layer == id },
                ofAuthor: rows.values.count { !$0.isErased && $0.remark.author == member.user })
        }
        switch request.event.act {
        case .placeRemark(let remark):
            let row = rows[Row(layer: remark.layer, id: remark.id)]
            if try writer.places(remark, on: layer(remark.layer), known: row, standing(remark.layer)) {
                rows[Row(layer: remark.layer, id: remark.id)] = .init(remark)
            }
        case .restoreRemark(let remark):
            let row = rows[Row(layer: remark.layer, id: remark.id)]
            if try writer.restores(remark, on: layer(remark.layer), known: row, standing(remark.layer)) {
                rows[Row(layer: remark.layer, id: remark.id)] = .init(remark)
            }
        case .editRemark(let edit):
            let row = known(edit.remark)
            let edited = try writer.edited(row, on: row.flatMap { layer($0.remark.layer) }, by: edit)
            rows[Row(layer: edited.layer, id: edited.id)] = .init(edited)
        case .eraseRemark(let id):
            let row = known(id)
            try writer.checkErasing(row, on: row.flatMap { layer($0.remark.layer) })
            if let remark = row?.remark {
                rows[Row(layer: remark.layer, id: id)] = .init(remark, isErased: true)
            }
        default: break
        }
    }

    /// The code with which an act is refused; nil if it is accepted.
    mutating func refused(_ act: RoomAct, _ member: ActingUser) -> RoomRefusalCode? {
        let before = state
        do throws(RoomRefusal) {
            _ = try process(RoomEvent(id: next(), act: act), by: member)
            return nil
        } catch {
            // Whoever is refused has changed nothing.
            return before == state && error.sentence.count > 20 ? error.code : nil
        }
    }

    mutating func remark(
        by member: ActingUser, on layer: RemarkLayer.ID = publicLayer, page: Int = 0,
        shape: RemarkShape = .stamp(.breath)
    ) -> Remark {
        Remark(
            id: next(), layer: layer, author: member.user, part: 0, page: page,
            anchor: PagePoint(nearX: 0.25, nearY: 0.5), shape: shape)
    }

    /// What an act becomes in a score; see ``RoomState/scoreRequest(for:by:layer:)``.
    mutating func request(_ act: RoomAct, _ member: ActingUser) throws -> RoomState.ScoreRequest? {
        try state.scoreRequest(for: RoomEvent(id: next(), act: act), by: member, layer: roomLayer)
    }

    func view(_ member: ActingUser) -> RoomContent? { (try? state.snapshot(for: member))?.content }
}

func delivered(_ effects: [RoomEffect]) -> [SequencedEvent] {
    effects.compactMap { if case .deliver(let event) = $0 { event } else { nil } }
}
