import Basics
import Testing

@testable import Alignment

/// Which of several pieces is played, and where.
@Suite struct ProgrammeSearchTests {
    private static let melodies = [41, 42, 43].map { Melody(noteCount: 95, seed: $0) }

    private let search = ProgrammeSearch(
        filters: melodies.map { ForwardFilter(references: [$0.frames()]) })

    /// - Returns: what is found after each frame; nil entries are hops in which nothing was decided.
    @discardableResult
    private func hear(_ live: ReferenceFeatureFrames, isQuiet: Bool = false) -> [ProgrammeSearch.Place] {
        (0..<live.frameCount).compactMap { frame in
            let values = Array(
                live.featureValues[frame * live.dimensions..<(frame + 1) * live.dimensions])
            return values.withUnsafeBufferPointer {
                let heard = LiveFeatureFrame(featureValues: $0.baseAddress!, isQuiet: isQuiet)
                return search.advance(heard) ? search.found : nil
            }
        }
    }

    @Test(arguments: [0, 1, 2])
    func thePieceAndThePlaceAreFoundWithinSeconds(piece: Int) throws {
        let found = hear(Self.melodies[piece].frames().part(500..<700))
        let last = try #require(found.last)
        #expect(last.pieceIndex == piece)
        #expect(abs(last.frame.value - 700) < 50)
        #expect(abs(last.tempo.value - 1) < 0.2)
        #expect(last.probability > 0.95)
    }

    @Test func whenThePieceChangesTheNewOneIsFound() throws {
        hear(Self.melodies[0].frames().part(300..<600))
        let found = hear(Self.melodies[2].frames().part(800..<1100))
        #expect(found.last?.pieceIndex == 2)
        // At the other piece's first notes the one before is still the likelier.
        let change = try #require(found.firstIndex { $0.pieceIndex == 2 })
        #expect(change < 40)
    }

    @Test func quietFramesFindNothing() {
        #expect(hear(Self.melodies[1].frames().part(500..<700), isQuiet: true).isEmpty)
    }

    /// The theme of the first piece returns after its middle part. The performance fits the return a little better,
    /// because the recording begins softly.
    @Test(arguments: [true, false]) func afterSilenceAPieceIsTakenAtItsOpening(isAfterSilence: Bool) throws {
        let theme = Melody(noteCount: 30, seed: 51).frames()
        let middle = Melody(noteCount: 30, seed: 52).frames()
        let recording =
            ReferenceFeatureFrames.silence(60) + theme.part(60..<theme.frameCount) + middle + theme
        let search = ProgrammeSearch(
            filters: [recording, Self.melodies[1].frames()].map { ForwardFilter(references: [$0]) })
        var live = theme.part(0..<250)
        if !isAfterSilence { live = Self.melodies[1].frames().part(300..<700) + live }
        var found: ProgrammeSearch.Place?
        for frame in 0..<live.frameCount {
            let values = Array(live.featureValues[frame * live.dimensions..<(frame + 1) * live.dimensions])
            values.withUnsafeBufferPointer {
                if search.advance(LiveFeatureFrame(featureValues: $0.baseAddress!)) {
                    found = search.found ?? found
                }
            }
        }
        let place = try #require(found)
        #expect(place.pieceIndex == 0)
        let theReturn = recording.frameCount - theme.frameCount
        #expect(abs(place.frame.value - (isAfterSilence ? 250 : theReturn + 250)) < 50)
    }

    @Test func afterAResetEveryPieceIsPossibleAgain() {
        hear(Self.melodies[1].frames().part(500..<700))
        search.reset()
        #expect(search.found == nil)
        #expect(hear(Self.melodies[0].frames().part(500..<700)).last?.pieceIndex == 0)
    }
}
