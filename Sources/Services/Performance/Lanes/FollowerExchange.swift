import Podium
import Synchronization

/// Holds a follower while it passes from the thread that made it to the follow thread.
package final class FollowerBox: @unchecked Sendable {
    // @unchecked: after it was handed over, only the follow thread uses the follower, apart from its constants and
    // `releasePredecessor()`.
    package let follower: any LiveAudioFollower

    package init(_ follower: any LiveAudioFollower) { self.follower = follower }
}

/// Hands the follower of a changed programme to the follow thread, by the queue of orders.
///
/// The follower is made completely before it is handed over. The follow thread takes it between two hops and neither
/// allocates nor releases: this exchange holds every follower until the follow thread no longer uses it.
package final class FollowerExchange: Sendable {
    private struct Entry: Sendable {
        var programme: ShowProgramme
        var box: FollowerBox
    }

    private struct State {
        /// The follower that was handed over last. The follow thread uses it, or will with its next hop.
        var newest: Entry
        /// A follower that waits for the Podium to have its programme; nil if there is none.
        var prepared: Entry?
        /// Followers that were replaced and may still be used by the follow thread, oldest first.
        var replaced: [FollowerBox] = []
        var handedOverCount = 0
    }

    private let lane: FollowLane
    private let state: Mutex<State>

    /// - Parameters:
    ///   - first: the follower with which the follow thread begins.
    ///   - programme: the programme that it follows.
    init(_ lane: FollowLane, first: any LiveAudioFollower, programme: ShowProgramme) {
        self.lane = lane
        state = Mutex(State(newest: Entry(programme: programme, box: FollowerBox(first))))
    }

    /// The follower that was handed over last, and its programme.
    package var newest: (programme: ShowProgramme, box: FollowerBox) {
        state.withLock { ($0.newest.programme, $0.newest.box) }
    }

    /// True if the follower that was handed over last follows the music of a programme.
    package func follows(_ programme: ShowProgramme) -> Bool {
        state.withLock { $0.newest.programme.hasSameMusic(as: programme) }
    }

    /// Keeps a complete follower until its programme comes into force.
    package func keepPrepared(_ box: FollowerBox, for programme: ShowProgramme) {
        state.withLock { $0.prepared = Entry(programme: programme, box: box) }
    }

    /// Drops the prepared follower, because the change of the programme was refused.
    package func dropPrepared() { state.withLock { $0.prepared = nil } }

    /// Hands the prepared follower over if the programme in force needs another than the newest.
    /// - Returns: false if no follower of this programme's music is there yet, or if the queue of orders is full.
    func handOver(for programme: ShowProgramme) -> Bool {
        state.withLock { state in
            releaseReplaced(&state)
            if state.newest.programme.hasSameMusic(as: programme) { return true }
            guard let prepared = state.prepared, prepared.programme.hasSameMusic(as: programme) else {
                return false
            }
            let pointer = UnsafeRawPointer(Unmanaged.passUnretained(prepared.box).toOpaque())
            guard
                lane.orders.add(
                    FollowLaneOrder(kind: .changeFollower(pointer), piece: 0, position: nil, number: 0))
            else { return false }
            state.replaced.append(state.newest.box)
            state.newest = prepared
            state.prepared = nil
            state.handedOverCount += 1
            return true
        }
    }

    /// Releases what the follow thread no longer uses.
    func releaseReplaced() { state.withLock { releaseReplaced(&$0) } }

    private func releaseReplaced(_ state: inout State) {
        guard !state.replaced.isEmpty,
            lane.followersTakenOver.load(ordering: .acquiring) == state.handedOverCount
        else { return }
        state.newest.box.follower.releasePredecessor()
        state.replaced = []
    }
}
