import Catalogue
import Foundation
import Rehearsal
import Synchronization
import Testing

@testable import Hosting
@testable import ScoreLibrary
@testable import WebServer

/// A score of three parts with bars 1 to 8, its players, and the routes of remarks without a network between.
final class RemarkStage: Sendable {
    static let score: Rehearsal.Score.ID = id(50)
    let folder: String
    let catalogue: CatalogueStore
    let service: RemarkingService
    let shelf: any ScoreLookup
    let people: [String: WebPerson]
    /// What rooms were told, by whom.
    let told = Mutex<[(AcceptedAct, Rehearsal.User.ID)]>([])
    /// The people in the room, whose layer is ``roomLayer``; nil while rooms cannot be read.
    let members = Mutex<Set<String>?>([])
    static let roomLayer: ScoreLayer.ID = .derived(high: 7, low: 7)

    static func id<Object>(_ number: UInt64) -> ObjectID<Object> {
        ObjectID(high: 0x4000, low: 0x8000_0000_0000_0000 | number)
    }

    /// Accounts: anna, bert and carl have the score; stranger has not; lib is a librarian.
    init() async throws {
        folder = NSTemporaryDirectory() + "/remarking-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let catalogue = try CatalogueStore(path: folder + "/catalogue.sqlite")
        self.catalogue = catalogue
        try await catalogue.addScore(
            StoredScore(
                id: Self.score.description, contentJSON: "{}", sourcesJSON: "[]", revision: 1,
                shippedFolder: nil))
        var people: [String: WebPerson] = [:]
        for (name, role) in [
            ("anna", AccountRole.musician), ("bert", .musician), ("carl", .musician), ("stranger", .musician),
            ("lib", .editor),
        ] {
            let account = try await catalogue.addAccount(named: name, role: role, passwordHash: "h")
            people[name] = WebPerson(
                id: account.id.rawValue, name: name, role: WebRole(rawValue: role.rawValue) ?? .musician)
            if ["anna", "bert", "carl"].contains(name) {
                _ = try await catalogue.grantScore(
                    Self.score.description, to: account.id, bundle: UUID().uuidString)
            }
        }
        self.people = people
        let shelf = OneScore(score: try Self.music(), catalogue: catalogue)
        self.shelf = shelf
        var rooms = RemarkRooms()
        let place = Mutex<Weakly?>(nil)
        rooms.findLayers = { reader, _ in
            guard let members = place.withLock({ $0 })?.stage?.members.withLock({ $0 }) else { return nil }
            return members.contains(reader.name) ? [Self.layerOfRoom] : []
        }
        rooms.tell = { acts, _, user in
            place.withLock { $0 }?.stage?.told.withLock { $0 += acts.map { ($0.act, user) } }
        }
        service = RemarkingService(
            catalogue: catalogue, shelf: shelf,
            isActive: { true }, rooms: rooms,
            printing: PartPrinting { score, part, form, remarks in
                let ids = remarks.map { "\"\($0.id)\"" }.sorted().joined(separator: ",")
                let written =
                    (form.interval.map { #","written":"\#($0)""# } ?? "")
                    + (form.isCropped ? #","isCropped":true"# : "")
                return .json(Array(#"{"part":\#(part),"remarks":[\#(ids)]\#(written)}"#.utf8))
            })
        place.withLock { $0 = Weakly(stage: self) }
    }

    private static var layerOfRoom: ScoreLayer {
        let room = try! RehearsalRoom(
            id: id(10), score: score, name: "Tuesday", passkeyHash: nil, owner: id(1), isPublished: true)
        return .everybody(in: room, id: roomLayer, session: id(30))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Each part has bars 1 to 4 on page 0 and 5 to 8 on page 1, but the viola rests in bars 5 to 7, and has nothing
    /// marked for bar 8.
    static func music() throws -> Rehearsal.Score {
        func bars(_ numbers: ClosedRange<Int>, top: Double) throws -> [MeasureBox] {
            try numbers.map { bar in
                let left = 0.1 + 0.2 * Double((bar - 1) % 4)
                return MeasureBox(
                    page: bar <= 4 ? 0 : 1, first: bar, last: bar,
                    box: try PageRectangle(left: left, top: top, right: left + 0.2, bottom: top + 0.1))
            }
        }
        let pages = [PageSize(width: 600, height: 800), PageSize(width: 600, height: 800)]
        return try Rehearsal.Score(
            id: score, title: "Sinfonie", composer: "N. N.", movements: [try Movement(name: "Allegro")],
            parts: [
                try Part(name: "Violin I", pages: pages, places: bars(1...8, top: 0.2)),
                try Part(name: "Violin II", pages: pages, places: bars(1...8, top: 0.5)),
                try Part(
                    name: "Viola", pages: pages,
                    places: bars(1...4, top: 0.3) + [
                        MeasureBox(
                            page: 1, first: 5, last: 7,
                            box: try PageRectangle(left: 0.1, top: 0.3, right: 0.5, bottom: 0.4))
                    ]),
            ])
    }

    func user(_ name: String) -> Rehearsal.User.ID { Rehearsal.User.ID(people[name]!.id)! }
    func own(_ name: String) -> ScoreLayer.ID { ScoreLayer.ownID(of: user(name)) }

    struct Answer {
        var status: Int
        var text: String
        var value: [String: Any] {
            ((try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]) ?? [:]
        }
        var list: [[String: Any]] {
            ((try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [[String: Any]]) ?? []
        }
        var code: String? { value["code"] as? String }
    }

    /// Asks an address, written with its parameters' values, such as `/api/gifts/ID/answer`.
    /// - Parameter routes: of another service over the same catalogue; the stage's own if nil.
    func ask(
        _ method: WebRoute.Method, _ address: String, _ body: String = "", as name: String,
        of routes: [WebRoute]? = nil
    ) async throws -> Answer {
        let (path, query) = (
            address.split(separator: "?")[0], address.split(separator: "?").dropFirst().first ?? ""
        )
        let parts = path.split(separator: "/")
        let matching = (routes ?? service.routes).first { route in
            let wanted = route.path.split(separator: "/")
            return route.method == method && wanted.count == parts.count
                && zip(wanted, parts).allSatisfy { $0.first == ":" || $0 == $1 }
        }
        let route = try #require(matching, "\(method) \(path)")
        var parameters: [String: String] = [:]
        for (name, value) in zip(route.path.split(separator: "/"), parts) where name.first == ":" {
            parameters[String(name.dropFirst())] = String(value)
        }
        let fields = query.split(separator: "&").map {
            $0.split(separator: "=", maxSplits: 1).map(String.init)
        }
        guard route.access.admits(people[name]) else { return Answer(status: 403, text: #"{"code":"role"}"#) }
        let said = await route.response(
            to: WebRequest(
                path: String(path), pathParameters: parameters,
                queryParameters: Dictionary(fields.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { $1 },
                rawQuery: String(query), person: people[name], sessionToken: nil, deviceMark: nil,
                visitorAddress: "192.0.2.7", isOwnMachine: false, contentType: "application/json", origin: "",
                body: Array(body.utf8), uploadedFile: nil))
        return Answer(status: said.status, text: String(decoding: said.body, as: UTF8.self))
    }

    static let remarks = "/api/scores/\(score)/remarks"

    func remark(
        _ id: String = UUID().uuidString.lowercased(), by name: String, on layer: ScoreLayer.ID? = nil,
        part: Int = 0,
        page: Int = 0, anchor: [Int] = [2_000, 2_500], shape: String = #"{"stamp":"down-bow"}"#
    ) -> String {
        """
        {"id":"\(id)","layer":"\(layer ?? own(name))","author":"\(user(name))","part":\(part),"page":\(page),
        "anchor":\(anchor),"shape":\(shape),"ink":{"colour":"#1a4fd6","width":300}}
        """
    }

    /// Sends one event; its refusal's code, or nil if it was accepted.
    @discardableResult
    func send(_ act: String, id: String = UUID().uuidString.lowercased(), as name: String) async throws
        -> String?
    {
        let answer = try await ask(.post, Self.remarks, #"{"v":1,"id":"\#(id)",\#(act)}"#, as: name)
        try #require(answer.status == 200, "\(answer.text)")
        return (answer.list.first?["refused"] as? [String: Any])?["code"] as? String
    }

    func read(since: Int64 = 0, as name: String) async throws -> [String: Any] {
        let answer = try await ask(.get, Self.remarks + "?since=\(since)", as: name)
        try #require(answer.status == 200, "\(answer.text)")
        return answer.value
    }

    func ids(as name: String) async throws -> [String] {
        (try await read(as: name)["remarks"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }

    /// Makes a layer of a section that `writers` write on.
    func section(_ number: UInt64 = 900, parts: [Int] = [0], writers: [String]) async throws -> ScoreLayer.ID
    {
        let layer: ScoreLayer.ID = Self.id(number)
        let answer = try await ask(
            .put, "/api/scores/\(Self.score)/layers/\(layer)",
            #"{"name":"Bowings","parts":\#(parts),"writers":\#(writers.map { user($0).description })}"#,
            as: "lib")
        try #require(answer.status == 200, "\(answer.text)")
        return layer
    }
}

/// @unchecked: written once.
private struct Weakly: @unchecked Sendable {
    weak var stage: RemarkStage?
}

/// A shelf with one score; who has it stands in the catalogue.
private struct OneScore: ScoreLookup {
    let score: Rehearsal.Score
    let catalogue: CatalogueStore

    func findScore(_ id: Rehearsal.Score.ID) async -> Rehearsal.Score? { id == score.id ? score : nil }

    func isScoreGranted(_ user: Rehearsal.User.ID, _ score: Rehearsal.Score.ID) async throws(CatalogueError)
        -> Bool
    {
        try await catalogue.hasScoreGrant(AccountID(rawValue: user.description), score: score.description)
    }

    func listGrantedScores(of user: Rehearsal.User.ID?) async throws(CatalogueError) -> [Rehearsal.Score] {
        guard let user else { return [score] }
        return try await isScoreGranted(user, score.id) ? [score] : []
    }
}
