import Testing

@testable import Alignment

/// A search that knows which copies of a passage the sound cannot tell apart.
@Suite struct CopySearchTests {
    private static let pooledFrames = 400
    private let parameters = ForwardFilterParameters()

    /// A reference of 40 s whose passage at 5 s returns at 25 s, for as many seconds as `length`.
    private func advance(
        _ search: CopySearch, from first: Int, steps: Int, length: Int = 100, near bar: DistancePrior? = nil,
        isSettled: Bool = false
    ) {
        for step in 0..<steps {
            let here = first + step
            var likelihoods = [Float](repeating: 0.01, count: 512 + 2 * rowMarginZeroCount)
            likelihoods[rowMarginZeroCount + here] = 1
            let isCopied = (50..<50 + length).contains(here) || (250..<250 + length).contains(here)
            if isCopied { likelihoods[rowMarginZeroCount + (here < 200 ? here + 200 : here - 200)] = 1 }
            for column in 0..<rowMarginZeroCount {
                likelihoods[rowMarginZeroCount + Self.pooledFrames + column] = 0
            }
            likelihoods.withUnsafeMutableBufferPointer {
                search.advance(
                    likelihoods: $0.baseAddress!, followedFrame: here * 5, moved: 1, isSettled: isSettled,
                    prior: bar)
            }
        }
    }

    private func search() -> CopySearch {
        CopySearch(pooledFrameCount: Self.pooledFrames, parameters: parameters)
    }

    @Test func afterAnUnknownBeginningTwoCopiesShareTheProbability() {
        let search = search()
        search.begin(at: nil)
        advance(search, from: 60, steps: 40)
        let copies = search.copies
        #expect(copies.count == 2)
        #expect(copies.map { Int($0.referenceFrame / 5) } == [99, 299])
        // The followed one is likelier, for it was chosen.
        #expect(abs((copies.first?.probability ?? 0) - 0.83) < 0.05)
        #expect(copies.reduce(0) { $0 + $1.probability } <= 1)
    }

    @Test func theFirstDifferenceDecides() {
        let search = search()
        search.begin(at: nil)
        advance(search, from: 60, steps: 90)
        #expect(!search.copies.isEmpty)
        // The passage ends after 150.
        advance(search, from: 150, steps: 20)
        #expect(search.copies.isEmpty)
    }

    @Test func aCopyThatIsReachedWithoutAJumpIsNotDoubted() {
        let search = search()
        search.begin(at: 10 * 5)
        advance(search, from: 10, steps: 140, isSettled: true)
        #expect(search.copies.isEmpty)
    }

    @Test func aPersonDecides() {
        let search = search()
        search.begin(at: nil)
        advance(search, from: 60, steps: 40)
        search.begin(at: 300 * 5)
        advance(search, from: 300, steps: 20, isSettled: true)
        #expect(search.copies.isEmpty)
    }

    @Test func afterAJumpTheCopiesAreDoubtedAndThePlaceThatWasLeftIsNot() {
        let search = search()
        search.begin(at: 350 * 5)
        advance(search, from: 350, steps: 20, isSettled: true)
        search.noteJump(from: 369 * 5, to: 60 * 5)
        advance(search, from: 60, steps: 50)
        #expect(search.copies.map { Int($0.referenceFrame / 5) } == [109, 309])
    }
}
