import Basics
import Features
import Score

/// Continues a performance when the programme is changed while it runs.
extension ConcertFollower {
    /// The follower that is replaced, and where its pieces are in the changed programme.
    struct Predecessor {
        var follower: ConcertFollower
        /// For each piece of the earlier programme, its index in the new one; nil if it is not kept.
        var newIndexByOldIndex: [Int?]
    }

    /// Creates the follower of a changed programme. It uses the piece followers of its predecessor for the pieces that
    /// stay, so that the piece being played goes on without a gap, and only new pieces cost time and memory.
    ///
    /// Any thread may create it while the predecessor follows. Afterwards the following thread calls
    /// ``continuePerformance()`` between two hops, and uses only the new follower from then on.
    /// - Parameters:
    ///   - programme: the changed programme, with the predecessor's models for the pieces that stay.
    ///   - keptPieces: for each piece of the changed programme, its index in the predecessor's; nil for a new piece.
    public convenience init(
        programme: ConcertProgramme, keptPieces: [Int?], of previous: ConcertFollower,
        transforms: any SpectrumTransformMaker, features: FeatureParameters = FeatureParameters()
    ) {
        precondition(keptPieces.count == programme.pieceModels.count, "every piece is new or kept")
        var newIndices = [Int?](repeating: nil, count: previous.pieceFollowers.count)
        var followers: [PieceFollower] = []
        for (index, (model, kept)) in zip(programme.pieceModels, keptPieces).enumerated() {
            if let kept {
                newIndices[kept] = index
                followers.append(previous.pieceFollowers[kept])
            } else {
                followers.append(
                    PieceFollower(
                        referenceModel: model, rate: previous.sampleRate, transforms: transforms,
                        features: features,
                        alignmentMethod: FollowingMethod.forwardFilter.makeAlignment(on: model)))
            }
        }
        self.init(
            programme: programme, pieceFollowers: followers, sampleRate: previous.sampleRate,
            transforms: transforms, advance: previous.concertAdvanceRule, features: features,
            predecessor: Predecessor(follower: previous, newIndexByOldIndex: newIndices))
    }

    /// Takes over the performance from the predecessor: live time, the current piece and everything heard of it. If the
    /// current piece is not in the changed programme, the first one is awaited. Without a predecessor, nothing happens.
    ///
    /// For the following thread, between two hops. No allocation, no lock, nothing is released; O(reference frames) if
    /// a piece begins to be listened for.
    public func continuePerformance() {
        guard let previous = predecessor?.follower else { return }
        isRehearsal = previous.isRehearsal
        isAnyPieceAwaited = advanceRule == .any
        heardSampleCount = previous.heardSampleCount
        completedHopCount = previous.completedHopCount
        hopSamples.copySamples(from: previous.hopSamples)
        silenceDetector = previous.silenceDetector
        silentHopCount = previous.silentHopCount
        guard let current = newIndex(of: previous.currentPieceIndex) else {
            makePieceCurrent(0)
            pieceFollowers[0].begin(at: ScorePosition(played: 0, fraction: 0))
            return
        }
        currentPieceIndex = current
        currentReport = previous.currentReport
        lastShownReport = previous.lastShownReport
        finishedPieceKeeper = previous.finishedPieceKeeper
        for old in previous.positionWherePieceWasLeft.indices {
            guard let new = newIndex(of: old) else { continue }
            positionWherePieceWasLeft[new] = previous.positionWherePieceWasLeft[old]
        }
        guard advanceRule == .next else { return }
        if let oldNeighbour = previous.neighbourPieceIndex, let new = newIndex(of: oldNeighbour),
            new - current == oldNeighbour - previous.currentPieceIndex
        {
            neighbourPieceIndex = new
            neighbourPieceReport = previous.neighbourPieceReport
            nextPieceDetector = previous.nextPieceDetector
        } else if previous.neighbourPieceIndex == nil {
            nextPieceDetector = previous.nextPieceDetector
        }
        let isOver = finishedPieceKeeper.isKeptAtEnd || previous.nextPieceDetector.isBetweenPieces
        guard isOver, !nextPieceDetector.isBetweenPieces else { return }
        // A piece may have been added after the last one had ended.
        goOnFromEndOfPiece()
    }

    /// Drops the predecessor and its memory. Any thread may call this once the following thread has called
    /// ``continuePerformance()``, after which it no longer needs the predecessor.
    public func releasePredecessor() { predecessor = nil }

    private func newIndex(of old: Int) -> Int? {
        guard let predecessor, predecessor.newIndexByOldIndex.indices.contains(old) else { return nil }
        return predecessor.newIndexByOldIndex[old]
    }
}
