import Catalogue
import Foundation
import Testing
import WebServer

@testable import Screen
@testable import TestHelpers

@Suite struct ScreenSettingsTests {
    private func decoded(_ json: String) throws -> ScreenSettings {
        try JSONDecoder().decode(ScreenSettings.self, from: Data(json.utf8))
    }

    private func change(_ json: String) throws -> ScreenSettingsChange {
        try JSONDecoder().decode(ScreenSettingsChange.self, from: Data(json.utf8))
    }

    @Test func whatIsNotSaidIsAsUsual() throws {
        #expect(try decoded("{}") == .standard && ScreenSettings.standard.fault == nil)
    }

    @Test(arguments: [
        #"{"shows":"films"}"#, #"{"languages":["d e"]}"#,
        #"{"languages":["1","2","3","4","5","6","7","8","9"]}"#,
        #"{"colours":["yellow"]}"#, #"{"sizes":[1,9]}"#, #"{"size":9}"#, #"{"position":"left"}"#,
        #"{"ground":"green"}"#, #"{"align":"middle"}"#, #"{"lettering":"bold"}"#, #"{"font":"a\";}"}"#,
        #"{"margins":[0.1]}"#, #"{"margins":[0,0,0,0.5]}"#, #"{"brightness":0}"#,
    ]) func aSettingThatMakesNoSenseGetsASentence(_ json: String) throws {
        #expect(try decoded(json).fault?.hasSuffix(".") == true)
    }

    @Test func settingsSurviveARestartAndAreSentToOpenScreens() async throws {
        let folder = try ServeFolder()
        let path = folder.path + "/catalogue.sqlite"
        var green = ScreenSettings()
        (green.ground, green.languages) = ("00ff00", ["de"])
        do {
            let store = try await ScreenSettingsStore(
                catalogue: try CatalogueStore(path: path), hub: EventHub())
            try await store.change("main", by: try change(#"{"ground":"00ff00","languages":["de"]}"#))
        }
        let hub = EventHub()
        let store = try await ScreenSettingsStore(catalogue: try CatalogueStore(path: path), hub: hub)
        #expect(store.all == ["main": green])
        #expect(String(decoding: hub.newestValue("settings") ?? [], as: UTF8.self).contains("00ff00"))
        #expect(try await store.delete("main"))
        #expect(try await !store.delete("main"))
        #expect(hub.newestValue("settings") == Array("{}".utf8))
    }

    @Test func theNumberOfScreensWithSettingsIsBounded() async throws {
        let folder = try ServeFolder()
        let store = try await ScreenSettingsStore(
            catalogue: try CatalogueStore(path: folder.path + "/catalogue.sqlite"), hub: EventHub())
        for number in 0..<CatalogueStore.mostScreens {
            try await store.change("s\(number)", by: try change("{}"))
        }
        await #expect(throws: ScreenSettingsStore.tooManyScreens) {
            try await store.change("further", by: try change("{}"))
        }
        // A known one can be changed.
        try await store.change("s3", by: try change(#"{"size":2}"#))
        #expect(store.all["s3"]?.size == 2)
    }

    @Test func changesOfDifferentSettingsByManyPeopleAtOnceAreAllKept() async throws {
        let folder = try ServeFolder()
        let store = try await ScreenSettingsStore(
            catalogue: try CatalogueStore(path: folder.path + "/catalogue.sqlite"), hub: EventHub())
        let changes = [
            #"{"size":2}"#, #"{"position":"top"}"#, #"{"ground":"00ff00"}"#, #"{"languages":["de"]}"#,
            #"{"shows":"titles"}"#, #"{"ignoresBlank":true}"#, #"{"fallsBack":false}"#,
            #"{"colours":["ffe9a8"]}"#, #"{"sizes":[0.7]}"#,
        ]
        try await withThrowingTaskGroup { group in
            for json in changes {
                let change = try change(json)
                group.addTask { try await store.change("stage", by: change) }
            }
            try await group.waitForAll()
        }
        let stage = try decoded(
            #"""
            {"size":2,"position":"top","ground":"00ff00","languages":["de"],"shows":"titles","ignoresBlank":true,
            "fallsBack":false,"colours":["ffe9a8"],"sizes":[0.7]}
            """#)
        #expect(store.all == ["stage": stage])
    }

    @Test func aSettingThatMakesNoSenseChangesNothing() async throws {
        let folder = try ServeFolder()
        let store = try await ScreenSettingsStore(
            catalogue: try CatalogueStore(path: folder.path + "/catalogue.sqlite"), hub: EventHub())
        try await store.change("main", by: try change(#"{"size":2}"#))
        await #expect(throws: Refusal.self) {
            try await store.change("main", by: try change(#"{"ground":"green","size":1}"#))
        }
        #expect(store.all["main"]?.size == 2)
    }
}
