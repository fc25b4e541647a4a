/// Puts the blocks of a microphone in order. Its clock is the count of samples, not the time of arrival.
///
/// Blocks may arrive twice, in another order, or not at all. A block that is missing is waited for until a second of
/// sound has come after it; then it becomes counted silence. The same blocks give the same sound however they were cut
/// and in whatever order within that second they came.
struct BlockSequencer {
    /// The next piece of sound for the follower.
    enum Piece: Equatable {
        case samples(ArraySlice<Int16>)
        case silence(count: Int)
    }

    enum Fault: Error, Equatable {
        /// The block is so far ahead that the silence before it would be a session of its own.
        case tooFarAhead
    }

    /// The number of samples that were passed on, silence included.
    private(set) var nextSample = 0
    /// The samples that never came and were replaced by silence.
    private(set) var lostSamples = 0
    private var nextSequence: UInt32 = 0
    /// Blocks after a missing one, in the order of their samples.
    private var waiting: [SoundBlock] = []
    private let windowSamples: Int
    private let farthestSamples: Int

    /// - Parameter hertz: samples a second.
    init(hertz: Double) {
        windowSamples = Int(hertz)
        farthestSamples = Int(60 * hertz)
    }

    /// Takes a block, and passes on all that is now in order.
    mutating func add(_ block: SoundBlock, pass: (Piece) -> Void) throws(Fault) {
        guard block.endSample > nextSample, !waiting.contains(where: { $0.sequence == block.sequence }) else {
            return
        }
        guard block.firstSample - nextSample <= farthestSamples else { throw .tooFarAhead }
        let place = waiting.firstIndex { $0.firstSample > block.firstSample } ?? waiting.endIndex
        waiting.insert(block, at: place)
        passOn(pass)
    }

    private mutating func passOn(_ pass: (Piece) -> Void) {
        while let first = waiting.first {
            // Nothing is missing before a block that continues the count, or that has the next number: samples missing
            // between two such blocks were never captured.
            let isNext = first.firstSample <= nextSample || first.sequence == nextSequence
            let isWindowFull = (waiting.last?.endSample ?? 0) - nextSample > windowSamples
            guard isNext || isWindowFull else { return }
            passFirst(pass)
        }
    }

    private mutating func passFirst(_ pass: (Piece) -> Void) {
        let block = waiting.removeFirst()
        nextSequence = max(nextSequence, block.sequence &+ 1)
        guard block.endSample > nextSample else { return }
        let gap = block.firstSample - nextSample
        if gap > 0 {
            lostSamples += gap
            nextSample += gap
            pass(.silence(count: gap))
        }
        pass(.samples(block.samples.dropFirst(nextSample - block.firstSample)))
        nextSample = block.endSample
    }
}
