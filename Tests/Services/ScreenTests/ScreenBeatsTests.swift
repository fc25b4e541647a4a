import Synchronization
import Testing
import WebServer

@testable import Screen

@Suite struct ScreenBeatsTests {
    private final class SetClock: Sendable {
        private let passed = Mutex(Duration.zero)
        private let begun = ContinuousClock.now
        func wait(_ time: Duration) { passed.withLock { $0 += time } }
        var now: ContinuousClock.Instant { begun + passed.withLock { $0 } }
    }

    private func beat(_ id: String, shows: String = "") -> ScreenBeats.Beat {
        ScreenBeats.Beat(
            id: id, width: 1_920, height: 1_080, shows: shows, blank: "none", languages: ["de"],
            picture: nil)
    }

    @Test func aSilentScreenIsMissingAndLaterForgotten() {
        let clock = SetClock()
        let beats = ScreenBeats { clock.now }
        for _ in 0..<31 {
            #expect(beats.take(beat("a", shows: "Song"), of: "main", from: "10.0.1.1"))
            clock.wait(.seconds(2))
        }
        #expect(beats.screens.map(\.isHere) == [true] && beats.screens[0].shows == "Song")
        clock.wait(.seconds(6))
        #expect(beats.screens.map(\.isHere) == [false])
        clock.wait(.seconds(600))
        #expect(beats.take(beat("b"), of: "stage", from: "10.0.1.1"))
        #expect(beats.screens.map(\.name) == ["stage"])
    }

    @Test func aScreenThatWasHereForAMomentIsNotMissed() {
        let clock = SetClock()
        let beats = ScreenBeats { clock.now }
        for number in 0..<8 { _ = beats.take(beat("\(number)"), of: "s\(number)", from: "10.0.9.9") }
        #expect(beats.screens.count == 8)
        clock.wait(.seconds(20))
        #expect(beats.screens.isEmpty)
    }

    @Test func aScreenThatWasLoadedAnewIsOneScreen() {
        let clock = SetClock()
        let beats = ScreenBeats { clock.now }
        _ = beats.take(beat("a"), of: "main", from: "10.0.1.1")
        clock.wait(.seconds(7))
        _ = beats.take(beat("b"), of: "main", from: "10.0.1.1")
        #expect(beats.screens.map(\.isHere) == [true])
    }

    @Test func strangersCannotFillTheList() {
        let clock = SetClock()
        let beats = ScreenBeats { clock.now }
        for number in 0..<ScreenBeats.maximumCount {
            #expect(beats.take(beat("\(number)"), of: "main", from: "10.0.0.\(number / 8)"))
        }
        #expect(!beats.take(beat("x"), of: "main", from: "10.0.1.1"))
        #expect(!beats.take(beat("y"), of: "main", from: "10.0.0.1"), "a machine has a few screens")
        #expect(beats.take(beat("3"), of: "main", from: "10.0.1.1"), "a known screen goes on")
        clock.wait(.seconds(7))
        #expect(beats.take(beat("x"), of: "main", from: "10.0.1.1"), "those that are missing make room")
    }

    /// All places are taken by invented heartbeats when the hall's screens come.
    @Test func screensOfTheHousePushStrangersOutAndStandBeforeThem() {
        let beats = ScreenBeats()
        func device(_ since: Int64, isOfTheHouse: Bool = true) -> RecognisedDevice {
            RecognisedDevice(known: KnownDevice(id: 1, since: since), isOfTheHouse: isOfTheHouse)
        }
        for number in 0..<ScreenBeats.maximumCount {
            let stranger = number % 2 == 0 ? RecognisedDevice() : device(2_000, isOfTheHouse: false)
            #expect(
                beats.take(beat("\(number)"), of: "INVENTED", from: "10.0.0.\(number / 8)", device: stranger))
        }
        for number in 0..<12 {
            #expect(beats.take(beat("h\(number)"), of: "hall", from: "10.0.1.1", device: device(1_000)))
        }
        let shown = beats.screens
        #expect(shown.count == ScreenBeats.maximumCount && shown.prefix(12).allSatisfy { $0.name == "hall" })
        #expect(shown.map(\.isNew) == Array(repeating: false, count: 12) + Array(repeating: true, count: 20))
        #expect(!beats.take(beat("x"), of: "INVENTED", from: "10.0.9.9"), "strangers push nobody out")
        for number in 12..<ScreenBeats.maximumCount {
            #expect(beats.take(beat("h\(number)"), of: "hall", from: "10.0.1.1", device: device(1_000)))
        }
        #expect(!beats.take(beat("late"), of: "x", from: "10.0.1.2", device: device(1_500)), "nor later ones")
        #expect(
            beats.take(beat("early"), of: "x", from: "10.0.1.2", device: device(0)), "but earlier ones do")
    }

    @Test func valuesThatNoScreenSendsAreRefused() {
        #expect(beat("a").isValid)
        #expect(!beat("").isValid && !beat(String(repeating: "x", count: 33)).isValid)
        #expect(!beat("a", shows: String(repeating: "x", count: 401)).isValid)
    }

    @Test func aPictureIsOneThatAScreenDrawsAndTellsItsAge() {
        let clock = SetClock()
        let beats = ScreenBeats { clock.now }
        var shown = beat("a", shows: "Song")
        shown.picture = ScreenBeats.Picture(
            lines: ["Song"], isTop: false, letters: 42, ground: "000000", slide: nil, missing: ["fr"])
        #expect(shown.isValid)
        for _ in 0..<31 {
            clock.wait(.seconds(2))
            #expect(beats.take(shown, of: "main", from: "10.0.1.1"))
        }
        #expect(beats.screens[0].picture?.lines == ["Song"] && beats.screens[0].age == 0)
        clock.wait(.seconds(8))
        #expect(beats.screens[0].age == 8)
        clock.wait(.seconds(81))
        #expect(beats.screens[0].age == 80, "a screen that is long gone is not sent anew each second")
        shown.picture?.slide = "https://example.org/x.png"
        #expect(!shown.isValid, "a picture from elsewhere is never loaded")
        shown.picture?.slide = nil
        shown.picture?.lines = [String(repeating: "x", count: 1_201)]
        #expect(!shown.isValid)
    }

    @Test(arguments: ["main", "Stage-2", "a"]) func namesOfScreens(_ name: String) {
        #expect(ScreenService.isScreenName(name))
    }

    @Test(arguments: ["", "a b", "ä", "a/b", String(repeating: "x", count: 41)])
    func whatIsNoNameOfAScreen(_ name: String) {
        #expect(!ScreenService.isScreenName(name))
    }
}
