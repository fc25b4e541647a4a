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

    @Test func whatIsNotSaidIsAsUsual() throws {
        #expect(try decoded("{}") == .standard && ScreenSettings.standard.fault == nil)
    }

    @Test(arguments: [
        #"{"shows":"films"}"#, #"{"languages":["d e"]}"#,
        #"{"languages":["1","2","3","4","5","6","7","8","9"]}"#,
        #"{"colours":["yellow"]}"#, #"{"sizes":[1,9]}"#, #"{"size":9}"#, #"{"position":"left"}"#,
        #"{"ground":"green"}"#,
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
            #expect(try await store.store(green, of: "main"))
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
            #expect(try await store.store(.standard, of: "s\(number)"))
        }
        #expect(try await !store.store(.standard, of: "further"))
        #expect(try await store.store(.standard, of: "s3"), "a known one can be changed")
    }
}
