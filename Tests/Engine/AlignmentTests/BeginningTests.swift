import Basics
import Testing

@testable import Alignment

/// What sounds before the first note, and what was believed before a silence.
@Suite struct BeginningTests {
    private static let opening = Melody(noteCount: 25, seed: 21).frames()
    private static let rest = Melody(noteCount: 60, seed: 22).frames()
    /// The opening, its repeat, and what follows.
    private static let piece = joined([opening, opening, rest])
    private static let room = ReferenceFeatureFrames.noise(100, seed: 5)

    private static func joined(_ parts: [ReferenceFeatureFrames]) -> ReferenceFeatureFrames {
        ReferenceFeatureFrames(
            featureValues: parts.flatMap(\.featureValues), dimensions: opening.dimensions,
            powerByFrame: parts.flatMap(\.powerByFrame))
    }

    /// One frame of the piece, held for 20 s.
    private static func tone(_ frame: Int) -> ReferenceFeatureFrames {
        joined(Array(repeating: piece.part(frame..<frame + 1), count: 1000))
    }

    @Test(arguments: [4, 30, 900])
    func aHeldToneBeginsNothing(frame: Int) {
        var hearing = Hearing(Self.piece)
        #expect(hearing.hear(Self.tone(frame)).allSatisfy { !$0.hasBegun && !$0.hasJumped })
        hearing.hear(Self.room, isRoomAlone: true)
        let music = hearing.hear(Self.opening.part(0..<150))
        #expect(music.firstIndex { $0.hasBegun }.map { $0 - music.startIndex } ?? .max < 75)
        #expect(abs((music.last?.referenceFrame ?? 0) - 149) < 12)
    }

    /// One note, repeated while a tone is held: each repeat is as likely as any other change.
    @Test func musicThatMovesOnSteadilyHasBegunThoughNoChangeProvesIt() throws {
        let note = Melody(noteCount: 1, frames: 15...25, seed: 31).frames()
        let notes = Self.joined(Array(repeating: note, count: 40))
        let held = Self.joined(Array(repeating: notes.part(4..<5), count: 400))
        var hearing = Hearing(Self.joined([notes, Self.rest, notes]))
        let live = notes.part(0..<400)
        let music = hearing.hear(live.mixed(with: held, share: 0.4), standsOut: true)
        #expect(try #require(music.firstIndex { $0.hasBegun }) < 250)
        #expect(abs(music[300].referenceFrame - 300) < 12)
    }

    /// A tone that fits one bar and then another leaps; only music moves on.
    @Test func aLeapIsNoProgress() {
        var (leaping, moving) = (SteadyProgress(), SteadyProgress())
        for frame in 0..<240 {
            leaping.add(true, at: frame < 20 ? 50 : 400, odds: 1)
            moving.add(true, at: 50 + frame, odds: 1)
        }
        #expect(!leaping.hasLasted(225, to: 400) && moving.hasLasted(225, to: 289))
    }

    @Test func steadyHumInAPauseLeadsNowhere() {
        var hearing = Hearing(Self.piece)
        hearing.hear(Self.piece.part(0..<700))
        hearing.hear(Self.tone(1000).part(0..<400), isRoomAlone: true)
        #expect(hearing.jumps == 0)
    }

    @Test func steadyHumBeginsNothing() {
        var hearing = Hearing(Self.piece)
        #expect(hearing.hear(Self.piece, isRoomAlone: true).allSatisfy { !$0.hasBegun })
    }

    /// Three seconds of music, two of the room, and the beginning again.
    @Test func afterASilenceTheFirstBarIsAwaitedAndNotItsRepeat() throws {
        var hearing = Hearing(Self.piece)
        hearing.hear(Self.opening.part(0..<150))
        let silence = hearing.hear(Self.room, isQuiet: true, isRoomAlone: true)
        #expect(silence.last?.hasBegun == false)
        let again = hearing.hear(Self.opening.part(0..<250))
        let begun = try #require(again.firstIndex { $0.hasBegun }) - again.startIndex
        #expect(begun < 75)
        for (number, estimate) in again.enumerated().dropFirst(begun + 10) {
            #expect(abs(estimate.referenceFrame - Double(number)) < 12)
        }
    }
}
