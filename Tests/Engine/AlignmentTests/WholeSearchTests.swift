import Testing

@testable import Alignment

@Suite struct WholeSearchTests {
    private static let melody = Melody(noteCount: 95, seed: 41)
    private static let reference = melody.frames()
    private static let parameters = ForwardFilterParameters()

    private func search() -> WholeReferenceSearch {
        WholeReferenceSearch(
            reference: CompactTiles(
                frames: Self.reference.featureValues, dimensions: Self.reference.dimensions),
            parameters: Self.parameters)
    }

    /// - Returns: how often the search has moved.
    @discardableResult
    private func hear(
        _ live: ReferenceFeatureFrames, with search: WholeReferenceSearch, isDropout: Bool = false
    )
        -> Int
    {
        var moves = 0
        for frame in 0..<live.frameCount {
            // Weighed as a filter does it: both parts count half.
            let values = live.featureValues[frame * live.dimensions..<(frame + 1) * live.dimensions].map {
                $0 / 2
            }
            values.withUnsafeBufferPointer {
                if search.advance($0.baseAddress!, isDropout: isDropout) { moves += 1 }
            }
        }
        return moves
    }

    @Test func itMovesOnceForSoManyFrames() {
        #expect(hear(Self.reference.part(0..<104), with: search()) == 20)
    }

    @Test(arguments: [0.7, 1, 1.4])
    func whereTheMusicIsIsFoundWithoutBeingTold(tempo: Double) {
        let search = search()
        let live = Self.melody.frames(tempo: tempo)
        let (first, last) = (Int(500 / tempo), Int(500 / tempo) + 250)
        hear(live.part(first..<last), with: search)
        let place = Int(Double(last) * tempo)
        #expect(search.probability(around: place, reachFrames: 50) > 0.9)
        let rival = search.mostProbablePlace(awayFrom: 100, reachFrames: 75)
        #expect(abs(rival.frame - place) < 50)
        #expect(rival.mass > 0.9)
        #expect(abs(Double(rival.tempo) / tempo - 1) < 0.2)
    }

    @Test func nearTheFrameItselfThereIsNoRival() {
        let search = search()
        hear(Self.reference.part(500..<750), with: search)
        #expect(search.mostProbablePlace(awayFrom: 750, reachFrames: 75).mass < 0.1)
    }

    @Test func anotherPlaceTakesTheMassOver() {
        let search = search()
        hear(Self.reference.part(200..<500), with: search)
        #expect(search.probability(around: 500, reachFrames: 50) > 0.9)
        hear(Self.reference.part(1000..<1300), with: search)
        #expect(search.probability(around: 1300, reachFrames: 50) > 0.9)
        #expect(search.probability(around: 800, reachFrames: 100) < 0.05)
    }

    @Test func whereNothingIsHeardNothingIsLearnt() {
        let search = search()
        hear(.silence(200), with: search, isDropout: true)
        let tenth = Self.reference.frameCount / 10
        for part in 1..<9 {
            let mass = search.probability(around: part * tenth + tenth / 2, reachFrames: tenth / 2)
            // A tenth each, give or take what lies at the edges of a pooled frame.
            #expect(mass > 0.05 && mass < 0.15)
        }
    }

    @Test func meanAndDeviationAreThoseOfThePooledReference() {
        let search = search()
        let live = Self.reference.part(300..<305)
        hear(live, with: search)
        let pooling = Self.parameters.framesPerPooledFrame
        let dimensions = Self.reference.dimensions
        func pooled(_ frames: ReferenceFeatureFrames, _ number: Int) -> [Double] {
            (0..<dimensions).map { value in
                (0..<pooling).reduce(0) {
                    $0 + Double(frames.featureValues[(number * pooling + $1) * dimensions + value])
                        / Double(pooling)
                }
            }
        }
        let heard = pooled(live, 0).map { $0 / 2 }
        let similarities = (0..<Self.reference.frameCount / pooling).map { number in
            zip(pooled(Self.reference, number), heard).reduce(0) { $0 + $1.0 * $1.1 }
        }
        let count = Double(similarities.count)
        let mean = similarities.reduce(0, +) / count
        let variance = similarities.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
        #expect(abs(Double(search.meanSimilarity) - mean) < 1e-4)
        #expect(abs(Double(search.similarityDeviation) - variance.squareRoot()) < 1e-3)
    }

    @Test func afterForgettingEveryPlaceIsPossible() {
        let search = search()
        hear(Self.reference.part(200..<500), with: search)
        search.reset()
        hear(Self.reference.part(900..<1150), with: search)
        #expect(search.probability(around: 1150, reachFrames: 50) > 0.9)
    }
}
