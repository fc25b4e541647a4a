import Foundation
import Testing

@testable import Basics

@Suite struct SecondsTests {
    @Test func lengthsAddSubtractAndStretch() {
        #expect(Seconds(1.5) + Seconds(0.25) == Seconds(1.75))
        #expect(Seconds(1.5) - Seconds(0.25) == Seconds(1.25))
        #expect(Seconds(1.5) * 2 == Seconds(3))
        #expect(Seconds.zero < Seconds(0.001))
    }

    @Test func aLengthIsStoredAsABareNumber() throws {
        #expect(String(decoding: try JSONEncoder().encode([Seconds(1.5)]), as: UTF8.self) == "[1.5]")
        #expect(try JSONDecoder().decode([Seconds].self, from: Data("[1.5]".utf8)) == [Seconds(1.5)])
    }
}

@Suite struct InstantTests {
    @Test func anInstantAndALengthMakeAnInstant() {
        #expect(LiveTime(seconds: 2) + Seconds(0.5) == LiveTime(seconds: 2.5))
        #expect(ReferenceTime(seconds: 2) + Seconds(-0.5) == ReferenceTime(seconds: 1.5))
    }

    @Test func twoInstantsOfOneSideMakeALength() {
        #expect(LiveTime(seconds: 2) - LiveTime(seconds: 0.5) == Seconds(1.5))
        #expect(ReferenceTime(seconds: 0.5) - ReferenceTime(seconds: 2) == Seconds(-1.5))
    }

    @Test func instantsAreOrderedInTime() {
        #expect(LiveTime(seconds: 1) < LiveTime(seconds: 2))
        #expect(ReferenceTime(seconds: -1) < ReferenceTime(seconds: 0))
    }

    @Test func instantsAreStoredAsBareNumbers() throws {
        #expect(
            String(decoding: try JSONEncoder().encode([LiveTime(seconds: 2.5)]), as: UTF8.self) == "[2.5]")
        let reference = try JSONDecoder().decode([ReferenceTime].self, from: Data("[2.5]".utf8))
        #expect(reference == [ReferenceTime(seconds: 2.5)])
        #expect(try JSONEncoder().encode(reference) == Data("[2.5]".utf8))
        #expect(try JSONDecoder().decode([LiveTime].self, from: Data("[0]".utf8)) == [LiveTime(seconds: 0)])
    }
}

@Suite struct TempoRatioTests {
    @Test func unityIsTheReferencesOwnTempo() {
        #expect(TempoRatio.unity.value == 1)
        #expect(TempoRatio(0.5) < .unity)
    }

    @Test func aRatioIsStoredAsABareNumber() throws {
        #expect(try JSONEncoder().encode([TempoRatio(1.25)]) == Data("[1.25]".utf8))
        #expect(try JSONDecoder().decode([TempoRatio].self, from: Data("[1.25]".utf8)) == [TempoRatio(1.25)])
    }
}
