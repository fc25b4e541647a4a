/// Says where the music is likely to continue if it leaves its path: at bars, near the last trusted one, or at the
/// awaited beginning.
extension WholeReferenceSearch {
    /// Sets the bars of the reference. Call this before the music starts.
    func setBars(_ landmarks: ReferenceBars) {
        self.referenceBars = landmarks
        distancePrior =
            landmarks.bars.isEmpty
            ? nil
            : DistancePrior(reference: landmarks, pooledFrameCount: pooledFrameCount, parameters: parameters)
        computeJumpTargets(from: nil, isJumpLikely: false)
    }

    /// Trusts the bar at a frame: of two places that sound alike, the one nearer to it is preferred from now on. Without
    /// bars this has no effect.
    func trustBar(at frame: Int) { distancePrior?.trustBar(at: frame) }

    /// Prefers no place for its distance any more.
    func forgetTrustedBar() { distancePrior?.forgetTrustedBar() }

    /// ``DistancePrior``; nil while no bar is trusted.
    var knownDistancePrior: DistancePrior? { distancePrior?.hasTrustedBar == true ? distancePrior : nil }

    /// Sets the frame at which the music may begin at any moment; nil if the music has begun or the place is unknown.
    func setAwaitedFrame(_ frame: Int?) {
        isAwaitingMusicStart = frame != nil
        filterStep.leavePathProbability =
            isAwaitingMusicStart ? parameters.awaitedStartProbability : parameters.jumpProbability
        computeJumpTargets(from: nil, isJumpLikely: false)
        guard let frame else { return }
        for column in 0..<pooledFrameCount {
            jumpTargetProbabilities[rowMarginZeroCount + column] *= 1 - parameters.startShareAtAwaitedPlace
        }
        addJumpTargetProbability(at: frame, by: parameters.startShareAtAwaitedPlace)
    }

    /// Notes that the music is near a frame, so that continuations that follow from the bar there become likely.
    func updateJumpTargets(present frame: Int) {
        guard !referenceBars.bars.isEmpty, !isAwaitingMusicStart else { return }
        let bar = referenceBars.barIndex(at: frame)
        if bar != presentBar || isJumpLikely { computeJumpTargets(from: bar, isJumpLikely: false) }
    }

    /// Computes ``jumpTargetProbabilities``: where the music continues if it leaves its path. If the present bar is
    /// known, this is mostly at other bars, otherwise anywhere.
    /// - Complexity: O(frames / pooling + bars).
    private func computeJumpTargets(from bar: Int?, isJumpLikely: Bool) {
        presentBar = bar
        self.isJumpLikely = isJumpLikely
        var sum: Float = 0
        if let bar {
            for number in referenceBars.bars.indices {
                sum += referenceBars.continuationWeight(
                    of: number, from: bar, isJumpLikely: isJumpLikely, parameters: parameters)
            }
        }
        let share = sum > 0 ? parameters.barLineJumpShare : 0
        (jumpTargetProbabilities + rowMarginZeroCount).update(
            repeating: (1 - share) / Float(pooledFrameCount), count: pooledFrameCount)
        guard let bar, sum > 0 else { return }
        for number in referenceBars.bars.indices {
            let weight = referenceBars.continuationWeight(
                of: number, from: bar, isJumpLikely: isJumpLikely, parameters: parameters)
            if weight > 0 {
                addJumpTargetProbability(at: referenceBars.bars[number].firstFrame, by: share * weight / sum)
            }
        }
    }

    /// Adds a share of ``jumpTargetProbabilities`` to the pooled frames within a few tenths of a second of a reference
    /// frame.
    private func addJumpTargetProbability(at frame: Int, by share: Float) {
        let middle = min(max(frame / framesPerPooledFrame, 0), pooledFrameCount - 1)
        let places = max(middle - 1, 0)...min(middle + 2, pooledFrameCount - 1)
        for column in places {
            jumpTargetProbabilities[rowMarginZeroCount + column] += share / Float(places.count)
        }
    }

    /// Sets whether the music is now likely to leave its path and continue elsewhere.
    func setJumpLikely(_ isNowLikely: Bool) {
        guard !isAwaitingMusicStart else { return }
        filterStep.leavePathProbability =
            isNowLikely ? parameters.unsettledJumpProbability : parameters.jumpProbability
        if isNowLikely && !isJumpLikely && !referenceBars.bars.isEmpty {
            computeJumpTargets(from: presentBar, isJumpLikely: true)
        }
    }
}
