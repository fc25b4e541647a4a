import Basics

/// Connects the filter with a ``MusicalKeySearch``, which finds the key of the performance.
extension ForwardFilter {
    /// Creates a search in several musical keys on the filter's reference. Call this before the music starts.
    public func makeMusicalKeySearch(keys: Int, framesPerSecond: Int) -> MusicalKeySearch {
        MusicalKeySearch(
            keys: keys, beside: wholeReferenceSearch, framesPerSecond: framesPerSecond, parameters: parameters
        )
    }

    /// Makes every key possible again, and starts the searches in step with the filter's own search.
    public func restartKeySearch(_ keys: MusicalKeySearch) {
        let pooling = parameters.framesPerPooledFrame
        keys.reset(skipping: (pooling - wholeReferenceSearch.framesInPool) % pooling)
    }

    /// True if it is known where the music will begin, but it has not begun yet.
    public var isAwaitingStart: Bool { awaitedFrame != nil }

    /// Tells the search in several keys at which place the music is awaited.
    public func passAwaitedFrame(_ keys: MusicalKeySearch) { keys.setAwaitedFrame(awaitedFrame) }

    /// Decides in which key the awaited music has begun, if in any.
    /// - Returns: the key to go on in; nil while the present one stays.
    public func keyOfBeginning(_ keys: MusicalKeySearch, present: Int) -> Int? {
        let beginning = keys.mostProbableBeginning(present: present)
        return beginning.key != present && beginning.odds > parameters.unexpectedBeginningOdds
            ? beginning.key : nil
    }

    /// True if another key may be taken while the music is awaited, because the piece is played in it for certain.
    public func isPieceCertain(_ keys: MusicalKeySearch, key: Int) -> Bool {
        keys.beginnings[key].pieceLogRatio > parameters.awaitedPieceLogRatio
    }

    /// Tells the searches in all keys what is known of the room.
    public func passRoom(_ keys: MusicalKeySearch) {
        keys.noteRoom(
            isStandingOut: silentFrameCount == 0, isRoomAlone: isRoomAlone, isSilent: isSilent,
            isNewSilence: silentFrameCount == parameters.framesOfSilence)
    }

    /// Sets the search of every key to one place, as if the music were there now.
    public func anchorKeySearch(_ keys: MusicalKeySearch, at frame: FeatureFrameIndex) {
        keys.concentrateProbability(in: min(max(frame.value, 0), referenceFrameCount - 1), tempo: 1)
    }

    /// After music in a key that was not recognised, the place is sought from so many frames behind the position to
    /// `searchFramesAhead` frames ahead of it.
    private static let searchFramesBehind = 100
    private static let searchFramesAhead = 400

    /// Continues in another key: takes over the probabilities of that key's search. The caller makes all further frames
    /// in that key.
    public func continueInKey(_ keys: MusicalKeySearch, key: Int) {
        wholeReferenceSearch.copyProbabilities(from: keys.keySearches[key])
        trial = nil
        // They were heard in another key.
        heardFrames.forgetAll()
        framesSinceStart = 0
        movingFrameCount = 0
        steadyProgress = SteadyProgress()
        clearProgress = SteadyProgress()
        // The music has sounded for seconds in a key that was not recognised. Look near the position first, then
        // anywhere.
        let beginning = keys.beginnings[key]
        if awaitedFrame != nil, beginning.odds > parameters.unexpectedBeginningOdds {
            beginMusic(by: beginning)
            return
        }
        beginningSearch.forgetBeginning()
        let here = awaitedFrame ?? mainWindow.mostProbableFrame
        let near = wholeReferenceSearch.mostProbablePlace(
            in: max(
                here - Self.searchFramesBehind, 0)..<min(here + Self.searchFramesAhead, referenceFrameCount))
        if near.mass > 0.2 {
            if let awaitedFrame, near.frame < awaitedFrame + 50 {
                mainWindow.awaitMusic(at: awaitedFrame)
            } else if abs(near.frame - mainWindow.mostProbableFrame) > 25 {
                mainWindow.placeMusic(at: near.frame, spreadFrames: 25, tempo: near.tempo)
                hasLeapt = awaitedFrame == nil
                copySearch.begin(at: nil)
                // The music counts as half begun: the next frames decide.
                movingFrameCount = Double(parameters.startConfirmationFrames) / 2
            }
        } else if let awaitedFrame {
            mainWindow.awaitMusic(at: awaitedFrame)
        } else {
            let found = wholeReferenceSearch.mostProbablePlace(awayFrom: nil, reachFrames: 0)
            guard found.mass > 0.5 else { return }
            mainWindow.placeMusic(at: found.frame, spreadFrames: 25, tempo: found.tempo)
            hasLeapt = true
            copySearch.begin(at: nil)
        }
    }
}
