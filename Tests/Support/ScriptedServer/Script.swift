import Basics
import Following
import Score
import Synchronization

/// The music of a scripted evening, and what the follower makes of it.
///
/// Shared by the follower, which plays it, and the test, which changes it; both hold the lock only briefly.
final class Script: Sendable {
    struct State: Sendable {
        /// Index into the programme.
        var piece = 0
        /// The music's place on the piece's timeline, in seconds.
        var seconds = 0.0
        /// Seconds of the timeline per second; 1 is the reference's own tempo. Reported as the tempo.
        var speed = 1.0
        /// The music stands still; the follower goes on to report the same place.
        var isPaused = false
        /// The follower's judgement of itself until the piece is over.
        var judgement = FollowerState.waiting
        /// Nil for a value that suits the judgement.
        var confidence: Double?
        /// The follower hears no music.
        var isSilent = false
        /// The candidates of a lost follower: played measures with their probabilities. Of one that follows: the copies
        /// of its passage, its own left out.
        var candidates: [(played: Int, probability: Double)] = []
        /// The position that a lost follower keeps, on the timeline.
        var keptSeconds: Double?
        /// Why the sound device is away; nil while it is there.
        var inputProblem: String?
    }

    private let state = Mutex(State())

    var now: State { state.withLock { $0 } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// The music goes on for some seconds.
    /// - Parameter end: where the piece ends.
    func play(_ seconds: Double, until end: Double) -> State {
        state.withLock { state in
            if !state.isSilent, !state.isPaused, state.judgement != .waiting {
                state.seconds = min(state.seconds + seconds * state.speed, end)
            }
            return state
        }
    }
}

extension Script.State {
    /// The follower knows the place again.
    mutating func follow(piece: Int, at seconds: Double) {
        (self.piece, self.seconds) = (piece, seconds)
        (judgement, candidates, keptSeconds, isSilent) = (.following, [], nil, false)
    }

    /// The follower cannot tell its place from some copies of the passage.
    mutating func doubt(_ copies: [(played: Int, probability: Double)]) { candidates = copies }

    /// The follower no longer knows the place.
    mutating func lose(_ candidates: [(played: Int, probability: Double)]) {
        (judgement, keptSeconds) = (.lost, keptSeconds ?? seconds)
        self.candidates = candidates
    }
}
