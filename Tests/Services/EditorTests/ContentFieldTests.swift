import Foundation
import Hummingbird
import RouterTesting
import Testing
import WebServer

@testable import Audience
@testable import Catalogue
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// Every field of every kind of entry, written alone as the editor's page writes it.
@Suite(.ownThreads) struct ContentFieldTests {
    let stage: ContentStage

    init() async throws { stage = try await ContentStage() }

    /// Texts that may be written into a field of an existing entry, and texts that may not; the kinds and fields
    /// themselves are the catalogue's own list, so that a field without a row here fails.
    private static let rows: [String: (good: [String], bad: [String])] = [
        "concert title": (["Another evening"], ["", " ", String(repeating: "x", count: 301)]),
        "concert date": (
            ["2027-03-14", "2028-02-29", "2027-03", "2027"], ["gestern", "2026-02-30", "2026-13"]
        ),
        "concert programNotes": (["Notes.pdf"], ["../x"]),
        "concert credits": (["One\nTwo"], []),
        "concert link": (["https://hall.example/"], ["javascript:x"]),
        "concert cast": (["Anna Berg, violin"], []),
        "piece name": (["Bach, Prelude: II"], ["", "a;b"]),
        "piece measureCount": (["36"], ["many"]),
        "piece measures": (["1 0.5\n2 3.0"], ["1 5\n2 4"]),
        "piece endPrinted": (["34"], ["-1"]),
        "piece endTime": (["99.5"], ["nan"]),
        "piece folder": (["some-folder"], ["../x"]),
        "piece waveform": ([], ["00ff"]),
        "track name": (["History"], ["Structure", ""]),
        "track language": (["de"], ["klingon language"]),
        "track subject": (["Sources"], []),
        "track level": (["expert"], ["boss"]),
        "slide printed": (["2"], ["x"]),
        "slide time": (["3.5"], ["nan"]),
        "slide text": (["Other words."], []),
        "section label": (["B"], []),
        "section labels": (["de: Zweiter Teil"], ["no language here"]),
        "section colour": (["1,2,3"], []),
        "section key": (["G major"], ["H major"]),
        "section printed": (["2"], ["x"]),
        "section time": (["3.5"], ["-4"]),
        "word name": (["fugue"], [""]),
        "word category": (["Forms"], []),
        "word description": (["A flight."], []),
        "word history": (["Latin."], []),
        "word image": (["x.png"], ["../x.png"]),
        "word language": (["de"], ["klingon language"]),
        "message title": (["Good evening", ""], ["a|b", "Link"]),
        "message body": (
            ["The doors are open.", ""], ["two | parts", String(repeating: "long ", count: 400)]
        ),
        "message style": (["AUTO", "button"], ["LOUD"]),
        "message buttonText": (["Thanks"], ["", "a|b"]),
        "asset name": ([], ["x.png"]),
        "asset place": ([], ["images"]),
        "asset digest": ([], ["00"]),
        "asset type": ([], ["image/png"]),
        "asset bytes": ([], ["1"]),
    ]

    private struct Refused: Decodable { var error: String }

    @Test(arguments: ConcertNodeKind.allCases) func eachFieldIsWrittenAlone(kind: ConcertNodeKind)
        async throws
    {
        _ = try await stage.edit(
            #"{"base":1,"changes":[{"insert":"message","in":"concert","fields":{"title":"Welcome","body":"Soon.","style":"BUTTON","buttonText":"OK"}}]}"#
        )
        let node = kind == .concert ? ConcertNodeID.root : try stage.first(kind)
        for field in kind.fieldNames {
            let row = try #require(
                Self.rows["\(kind.rawValue) \(field)"], "\(kind.rawValue) \(field) has no row")
            #expect(!row.good.isEmpty || !row.bad.isEmpty)
            for value in row.good {
                let before = try #require(stage.desk.servedConcert).catalogueConcert.contentTree
                let response = try await set(node, field, value)
                #expect(
                    response.status == .ok, "\(kind).\(field) = \(value): \(String(buffer: response.body))")
                let after = try #require(stage.desk.servedConcert).catalogueConcert.contentTree
                #expect(after[node]?[field] == value, "\(kind).\(field)")
                // Back, as it was, by the same way.
                #expect(try await set(node, field, before[node]?[field] ?? "").status == .ok)
            }
            for value in row.bad {
                let before = try #require(stage.desk.servedConcert).catalogueConcert.contentTree
                let response = try await set(node, field, value)
                #expect(response.status == .unprocessableContent, "\(kind).\(field) = \(value)")
                let sentence = try JSONDecoder().decode(Refused.self, from: Data(buffer: response.body)).error
                #expect(sentence.hasSuffix("."), "\(sentence)")
                #expect(stage.desk.servedConcert?.catalogueConcert.contentTree == before)
            }
        }
        #expect(Self.rows.keys.count { $0.hasPrefix(kind.rawValue + " ") } == kind.fieldNames.count)
    }

    /// The rules do not depend on the way: a field that may not be written may not come with a new entry, nor with an
    /// import.
    @Test(arguments: ConcertNodeKind.allCases.filter { ![.asset, .message].contains($0) })
    func eachFieldHasTheSameRulesInANewEntryAndAnImport(kind: ConcertNodeKind) async throws {
        let parent = try kind.parentKind.map { $0 == .concert ? .root : try stage.first($0) }
        let needed = ContentRules.requiredField(of: kind).map { [$0.field: "Some name"] } ?? [:]
        func insertion(_ field: String, _ value: String) throws -> ConcertChange {
            guard let parent else { return .setField(.root, field: field, to: value) }
            return .insertNode(
                .random(), kind, in: parent, before: nil, fields: needed.merging([field: value]) { $1 })
        }
        for field in kind.fieldNames where field != "waveform" {
            let row = try #require(Self.rows["\(kind.rawValue) \(field)"])
            for value in row.good {
                var imported = ContentEditBuilder([try insertion(field, value)])
                try imported.applyRules()
                #expect(imported.leaveOutFaults().isEmpty)
            }
            for value in row.bad {
                var imported = ContentEditBuilder([try insertion(field, value)])
                #expect(throws: Refusal.self, "\(kind).\(field) = \(value)") {
                    try imported.applyRules()
                }
                #expect(imported.leaveOutFaults().count == 1)
                guard let parent else { continue }
                let order: [String: Any] = [
                    "base": 1,
                    "changes": [
                        [
                            "insert": kind.rawValue, "in": parent.rawValue,
                            "fields": needed.merging([field: value]) { $1 },
                        ]
                    ],
                ]
                let json = try JSONSerialization.data(withJSONObject: order)
                #expect(
                    try await stage.edit(String(decoding: json, as: UTF8.self)).status
                        == .unprocessableContent, "\(kind).\(field) = \(value)")
            }
        }
    }

    @Test(arguments: [ConcertNodeKind.piece, .track, .word])
    func anEntryIsNotMadeWithoutWhatItMustHave(kind: ConcertNodeKind) async throws {
        let parent = kind == .track ? try stage.first(.piece) : .root
        let response = try await stage.edit(
            #"{"base":1,"changes":[{"insert":"\#(kind.rawValue)","in":"\#(parent.rawValue)","fields":{}}]}"#)
        #expect(response.status == .unprocessableContent, "\(kind)")
    }

    @Test func anEntryThatLacksItsNameFromOlderVersionsCanStillBeEdited() async throws {
        let id = try await stage.desk.catalogue.makeConcert(
            [.setField(.root, field: "date", to: "2026")], author: "x", label: "old")
        let changed = try await stage.edit(
            #"{"base":1,"changes":[{"set":"concert","field":"date","to":"2027"}]}"#, concert: id)
        #expect(changed.status == .ok, "\(String(buffer: changed.body))")
    }

    private func set(_ node: ConcertNodeID, _ field: String, _ value: String) async throws -> TestResponse {
        let order: [String: Any] = [
            "base": stage.desk.servedConcert?.catalogueConcert.contentTree.revision ?? 0,
            "changes": [["set": node.rawValue, "field": field, "to": value]],
        ]
        let json = try JSONSerialization.data(withJSONObject: order)
        return try await stage.edit(String(decoding: json, as: UTF8.self))
    }

    private func message(_ fields: String) async throws -> ConcertNodeID {
        let response = try await stage.edit(
            #"{"base":1,"changes":[{"insert":"message","id":"m1","in":"concert","fields":{\#(fields)}}]}"#)
        #expect(response.status == .ok, "\(String(buffer: response.body))")
        return try #require(ConcertNodeID(rawValue: "m1"))
    }

    @Test func whatDependsOnSeveralFieldsIsCheckedTogether() async throws {
        let node = try await message(#""title":"Hello","body":"","style":"AUTO""#)
        // A button needs its text; both at once are right.
        #expect(try await set(node, "style", "BUTTON").status == .unprocessableContent)
        #expect(try await set(node, "title", "").status == .unprocessableContent)
        let both = try await stage.edit(
            #"{"base":2,"changes":[{"set":"m1","field":"style","to":"BUTTON"},{"set":"m1","field":"buttonText","to":"OK"}]}"#
        )
        #expect(both.status == .ok)
        let link = try await stage.edit(
            #"{"base":3,"changes":[{"set":"m1","field":"title","to":"Link"},{"set":"m1","field":"buttonText","to":"https://hall.example/"}]}"#
        )
        #expect(link.status == .ok)
        #expect(try await set(node, "buttonText", "no address").status == .unprocessableContent)
        #expect(
            try #require(stage.desk.servedConcert).catalogueConcert.preparedMessages.last?.link?.text
                == "https://hall.example/")
    }

    @Test func twoPeopleCannotMakeAMessageTogetherThatNoPhoneCouldShow() async throws {
        let node = try await message(#""title":"Hello","body":"Doors","style":"AUTO","buttonText":"OK""#)
        // Both saw the same; each change is right by itself.
        let ed = try await stage.edit(
            #"{"base":2,"changes":[{"set":"\#(node)","field":"style","to":"BUTTON"}]}"#, as: "ed")
        let flo = try await stage.edit(
            #"{"base":2,"changes":[{"set":"\#(node)","field":"buttonText","to":""}]}"#, as: "flo")
        #expect(ed.status == .ok && flo.status == .unprocessableContent)
        #expect(stage.desk.servedConcert?.catalogueConcert.preparedMessages.last?.buttonText == "OK")
    }

    @Test func anUndoThatWouldLeaveAMessageNoPhoneCanShowIsStuck() async throws {
        let node = try await message(#""title":"Hello","body":"Doors","style":"AUTO""#)
        #expect(
            try await stage.edit(
                #"{"base":2,"changes":[{"set":"\#(node)","field":"buttonText","to":"OK"}]}"#, as: "ed"
            ).status == .ok)
        #expect(
            try await stage.edit(
                #"{"base":3,"changes":[{"set":"\#(node)","field":"style","to":"BUTTON"}]}"#, as: "flo"
            ).status == .ok)
        let response = try await stage.ask("/api/edit/concerts/1/undo", .post, as: "ed", body: [])
        #expect(response.status == .conflict)
        #expect(String(buffer: response.body).contains(#""stuck":3"#))
        #expect(
            stage.desk.servedConcert?.catalogueConcert.preparedMessages.count
                == stage.desk.servedConcert?.catalogueConcert.contentTree.countNodes(.message))
    }

    @Test func aMessageWithoutAStyleIsOneWithAButton() async throws {
        _ = try await message(#""title":"Hello","body":"Doors","buttonText":"OK""#)
        #expect(
            stage.desk.servedConcert?.catalogueConcert.preparedMessages.last?.style.closesByItself == false)
    }
}
