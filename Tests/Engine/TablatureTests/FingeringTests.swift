import Testing

@testable import Tablature

@Suite struct FingeringTests {
    private let fingering = Fingering(strings: Tuning.guitar, frets: 24)

    @Test func anOpenChordIsPlayedAtTheNut() {
        // E major, low to high.
        let fingers = fingering.choose([[40, 47, 52, 56, 59, 64]])[0].compactMap { $0 }
        #expect(fingers.map(\.string) == [6, 5, 4, 3, 2, 1])
        #expect(fingers.map(\.fret) == [0, 2, 2, 1, 0, 0])
    }

    @Test func aScaleStaysInReachOfTheHand() {
        let scale = [48, 50, 52, 53, 55, 57, 59, 60].map { [$0] }
        let frets = fingering.choose(scale).compactMap { $0[0]?.fret }.filter { $0 > 0 }
        #expect((frets.max() ?? 0) - (frets.min() ?? 0) <= 4)
    }

    @Test func everyFingerHasThePitchAndAStringOfItsOwn() {
        for low in stride(from: 40, to: 76, by: 3) {
            let chord = [low, low + 4, low + 7, low + 12]
            let fingers = fingering.choose([chord])[0]
            let strings = fingers.compactMap { $0?.string }
            #expect(Set(strings).count == strings.count)
            for (pitch, finger) in zip(chord, fingers) {
                if let finger { #expect(Tuning.guitar[finger.string - 1] + finger.fret == pitch) }
            }
        }
    }

    @Test func whatNoStringReachesIsLeftOut() {
        #expect(fingering.choose([[20]]) == [[nil]])
        #expect(fingering.choose([]) == [])
    }
}
