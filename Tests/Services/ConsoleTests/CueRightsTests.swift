import Foundation
import Podium
import ShowControl
import Testing
import WebServer

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

/// All roles, all kinds of cue, all fields, by the address that editors and technicians use; decided by the table of
/// docs/console-api.md.
@Suite(.ownThreads) struct CueRightsTests {
    private static let targets = CueTargets(
        oscTargets: [
            OSCTarget(name: "desk", endpoint: OSCEndpoint(host: "192.0.2.7", port: 8000)),
            OSCTarget(name: "other", endpoint: OSCEndpoint(host: "192.0.2.8", port: 8000)),
        ], brokerName: "hall", midiPorts: ["desk", "eos"])

    /// `| editor | note, slide, message |`
    private static func decided() throws -> [WebRole: Set<CueKind>] {
        var table: [WebRole: Set<CueKind>] = [:]
        for row in try Documents.rows(of: "console-api.md", under: "Who may write which cues") {
            let role = try #require(WebRole(rawValue: row[0]), "\(row[0]) is no role")
            let kinds = row[1] == "none" ? [] : row[1].components(separatedBy: ", ")
            table[role] = Set(try kinds.map { try #require(CueKind(rawValue: $0), "\($0) is no kind") })
        }
        return table
    }

    private static func cue(_ kind: CueKind) -> [String: Any] {
        let (target, payload) =
            switch kind {
            case .osc: ("desk", "/go")
            case .mqtt: ("lights/main", "on")
            case .midi: ("desk", "msc-go cue=1")
            case .message: ("", "Title|Body|AUTO|")
            case .note, .slide: ("", "")
            }
        return [
            "id": "x", "place": "p:3", "name": "Old", "kind": kind.rawValue, "auto": true, "earlinessMs": 0,
            "notes": "", "target": target, "payload": payload,
        ]
    }

    private static func changes(_ kind: CueKind) -> [(String, Any)] {
        let (target, payload) =
            switch kind {
            case .osc: ("other", "/stop")
            case .mqtt: ("lights/side", "off")
            case .midi: ("eos", "msc-stop")
            case .message: ("t", "Title|Other|AUTO|")
            case .note, .slide: ("t", "p")
            }
        return [
            ("id", "y"), ("place", "p:4"), ("name", "New"), ("auto", false),
            ("earlinessMs", kind == .slide ? 0 : 9),
            ("notes", "n"), ("target", target), ("payload", payload),
        ]
    }

    private func put(
        _ desk: ConsoleRequestHandler, _ cues: [[String: Any]], _ role: WebRole
    ) async throws -> (status: Int, text: String) {
        let body = Array(try JSONSerialization.data(withJSONObject: cues))
        let answer = await desk.replaceCueList(
            piece: 0, body, asCSV: false, by: WebPerson(id: "1", name: "somebody", role: role))
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    @Test func everyRoleWritesExactlyTheKindsOfTheTable() async throws {
        let decided = try Self.decided()
        #expect(Set(decided.keys) == Set(WebRole.allCases))
        let stage = try ServeStage()
        defer { stage.stop() }
        try stage.start()
        let desk = stage.consoleDesk(cueTargets: Self.targets)
        func begin(_ cues: [[String: Any]]) async throws {
            let (status, text) = try await put(desk, cues, .administrator)
            #expect(status == 200, "\(text)")
        }
        for role in WebRole.allCases {
            for kind in CueKind.allCases {
                let may = decided[role]?.contains(kind) == true
                let wanted = may ? 200 : 403
                func expect(_ cues: [[String: Any]], _ what: String) async throws {
                    let (status, text) = try await put(desk, cues, role)
                    #expect(status == wanted, "\(role) \(what) of kind \(kind): \(text)")
                    if !may { #expect(text.contains("not-allowed") && text.contains(kind.rawValue)) }
                }
                try await begin([])
                try await expect([Self.cue(kind)], "adds a cue")
                for (field, value) in Self.changes(kind) where !(kind == .slide && field == "earlinessMs") {
                    try await begin([Self.cue(kind)])
                    var changed = Self.cue(kind)
                    changed[field] = value
                    try await expect([changed], "changes \(field)")
                }
                try await begin([Self.cue(kind)])
                try await expect([], "removes a cue")
                // Made of another kind, or into one: both must be allowed.
                for other in CueKind.allCases where other != kind {
                    try await begin([Self.cue(kind)])
                    let (status, _) = try await put(desk, [Self.cue(other)], role)
                    let mayBoth = may && decided[role]?.contains(other) == true
                    #expect(status == (mayBoth ? 200 : 403), "\(role) makes \(kind) a \(other)")
                }
                // A cue that does not change may stay.
                try await begin([Self.cue(kind)])
                #expect(try await put(desk, [Self.cue(kind)], role).status == 200)
            }
        }
    }

    @Test func anEditorsAddressOfBatonsOwnPortIsRefusedAndATechniciansToo() async throws {
        let stage = try ServeStage()
        defer { stage.stop() }
        try stage.start()
        let desk = stage.consoleDesk(cueTargets: Self.targets)
        var cue = Self.cue(.osc)
        (cue["target"], cue["payload"]) = ("127.0.0.1:9120", "/baton/blackout 1")
        #expect(try await put(desk, [cue], .editor).status == 403)
        let (status, text) = try await put(desk, [cue], .technician)
        #expect(status == 422 && text.contains("unknown target") && text.contains("“Old”"))
        #expect(stage.desk.inbox.newestSnapshot.programme.pieces[0].cues.cues.isEmpty)
    }

    @Test func aFindingOfBeforeKeepsNobodyFromMendingSomethingElse() async throws {
        var old = madeCue("old", at: 1, kind: .osc)
        (old.target, old.payload) = ("127.0.0.1:7000", "/go")
        let stage = try ServeStage(madeCourse([old]))
        defer { stage.stop() }
        try stage.start()
        let desk = stage.consoleDesk(cueTargets: Self.targets)
        let kept: [String: Any] = [
            "id": "old", "place": "p:1", "name": "old", "kind": "osc", "auto": true, "earlinessMs": 0,
            "notes": "",
            "target": "127.0.0.1:7000", "payload": "/go",
        ]
        #expect(try await put(desk, [kept, Self.cue(.note)], .editor).status == 200)
        #expect(stage.desk.inbox.newestSnapshot.programme.pieces[0].cues["old"] == old)
    }
}
