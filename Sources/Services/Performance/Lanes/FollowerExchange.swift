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
        /// False if the follower only waits until one with the same programme is made.
        var isReady = true
        /// The pieces that it follows by models that were prepared anew, as indices; empty for another programme.
        var renewed: Set<Int> = []

        func follows(_ programme: ShowProgramme) -> Bool {
            isReady && self.programme.hasSameMusic(as: programme)
        }
    }

    private struct State {
        /// The follower that was handed over last. The follow thread uses it, or will with its next hop.
        var newest: Entry
        /// A follower that waits for the Podium to have its programme; nil if there is none.
        var prepared: Entry?
        /// Followers that were replaced and may still be used by the follow thread, oldest first.
        var replaced: [FollowerBox] = []
        var handedOverCount = 0
        var isReleasing = false
    }

    private let lane: FollowLane
    private let state: Mutex<State>

    /// - Parameters:
    ///   - first: the follower with which the follow thread begins.
    ///   - programme: the programme that it follows.
    ///   - isReady: false if it only waits until another follower of this programme is made.
    init(
        _ lane: FollowLane, first: any LiveAudioFollower, programme: ShowProgramme, isReady: Bool = true
    ) {
        self.lane = lane
        state = Mutex(
            State(newest: Entry(programme: programme, box: FollowerBox(first), isReady: isReady)))
    }

    /// The follower that was handed over last, and its programme.
    package var newest: (programme: ShowProgramme, box: FollowerBox) {
        state.withLock { ($0.newest.programme, $0.newest.box) }
    }

    /// True if the follower that was handed over last follows the music of a programme.
    package func follows(_ programme: ShowProgramme) -> Bool {
        state.withLock { $0.newest.follows(programme) }
    }

    /// True if a follower of a programme's music is prepared and waits for the follow thread.
    func hasPrepared(for programme: ShowProgramme) -> Bool {
        state.withLock { $0.prepared?.follows(programme) ?? false }
    }

    /// Keeps a complete follower until its programme comes into force.
    /// - Parameters:
    ///   - old: the newest follower when this one was made, which it continues.
    ///   - renewed: the pieces that it follows by models prepared anew, if their music is the same as before.
    /// - Returns: false if another follower was handed over meanwhile, so that this one would continue the wrong one.
    package func keepPrepared(
        _ box: FollowerBox, for programme: ShowProgramme, continuing old: FollowerBox,
        renewed: Set<Int> = []
    ) -> Bool {
        replacePrepared(by: Entry(programme: programme, box: box, renewed: renewed)) { $0.newest.box === old }
    }

    /// Drops the prepared follower, because the change of the programme was refused.
    package func dropPrepared() { _ = replacePrepared(by: nil) { _ in true } }

    /// Replaces the prepared follower if a condition holds. The earlier one is released after the lock, for which the
    /// show engine may be waiting.
    private func replacePrepared(by entry: Entry?, if isRight: (State) -> Bool) -> Bool {
        let (isDone, _): (Bool, Entry?) = state.withLock { state in
            guard isRight(state) else { return (false, nil) }
            let earlier = state.prepared
            state.prepared = entry
            return (true, earlier)
        }
        return isDone
    }

    /// Hands the prepared follower over if the programme in force needs another than the newest.
    /// - Returns: false if no follower of this programme's music is there yet, or if the queue of orders is full.
    func handOver(for programme: ShowProgramme) -> Bool {
        state.withLock { state in
            if state.newest.follows(programme) { return true }
            guard let prepared = state.prepared, prepared.follows(programme) else { return false }
            return handOver(prepared, &state)
        }
    }

    /// Hands over a follower that follows pieces of the programme in force by models prepared anew, unless the current
    /// piece is one of them and is not awaited.
    /// - Returns: true if the current piece is one of them, so that the follower must be told where to await it.
    func handOverRenewed(for programme: ShowProgramme, at current: Int, isAwaited: Bool) -> Bool {
        state.withLock { state in
            guard let prepared = state.prepared, !prepared.renewed.isEmpty, prepared.follows(programme),
                state.newest.follows(programme), isAwaited || !prepared.renewed.contains(current)
            else { return false }
            return handOver(prepared, &state) && prepared.renewed.contains(current)
        }
    }

    private func handOver(_ prepared: Entry, _ state: inout State) -> Bool {
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

    /// Has everything released that the follow thread no longer uses, on another thread, because it may be much.
    func releaseReplaced() {
        let begins = state.withLock { state in
            guard !state.isReleasing, hasUnused(state) else { return false }
            state.isReleasing = true
            return true
        }
        if begins { Task.detached(priority: .background) { self.releaseUnused() } }
    }

    private func releaseUnused() {
        let (newest, unused): (FollowerBox?, [FollowerBox]) = state.withLock { state in
            state.isReleasing = false
            guard hasUnused(state) else { return (nil, []) }
            let unused = state.replaced
            state.replaced = []
            return (state.newest.box, unused)
        }
        // The memory goes here, after the lock.
        newest?.follower.releasePredecessor()
        withExtendedLifetime(unused) {}
    }

    private func hasUnused(_ state: State) -> Bool {
        !state.replaced.isEmpty
            && lane.followersTakenOver.load(ordering: .acquiring) == state.handedOverCount
    }
}
