/// Gives the floor, the right to choose the content of the screen, to one speaker at a time.
///
/// A value without a clock: the same events at the same times give the same effects on any machine. In short:
/// - At most one presenter has the floor. Each change of the holder raises the epoch.
/// - The floor passes by the moderator's grant, by the holder's hand-over, or for a short time: a loan goes back by
///   itself, by “return”, or when the lender recalls it.
/// - Each presenter has at most one pending request. While “do not disturb” is on, by the moderator or by the holder,
///   requests wait and are announced to the holder afterwards.
/// - With the floor, the new holder's own slides appear, at the page that was shown last.
/// - A lost connection does not move the floor at once: the presenter has a minute to come back and gets the same
///   number. Then the floor goes back to the lender, or to nobody; the content stays on the screen.
public struct Floor: Sendable {
    /// The whole state, from which another floor can continue.
    public internal(set) var state: FloorState

    /// Creates a floor without presenters.
    /// - Parameter term: the term in which this server leads.
    public init(term: UInt32) { state = FloorState(term: term) }

    /// Continues from the state of another floor, or of this one before a crash.
    public init(continuing state: FloorState) { self.state = state }

    /// Processes an event and returns its effects, in the order in which they must be carried out.
    /// - Parameter now: milliseconds of the show; never earlier than at the previous event.
    /// - Throws: ``FloorRefusal``; the state is then as before.
    /// - Complexity: O(presenters + documents).
    public mutating func process(
        _ event: FloorEvent, atMilliseconds now: Int64
    ) throws(FloorRefusal) -> [FloorEffect] {
        var next = self
        var effects: [FloorEffect] = []
        switch event {
        case .register(let name, let address, let connection):
            try next.register(name, address: address, connection: connection, at: now, &effects)
        case .connectionLost(let connection): next.markAbsent(connection, at: now)
        case .documentReady(let document): try next.addDocument(document, &effects)
        case .presenter(let id, let action): try next.perform(action, by: id, at: now, &effects)
        case .moderator(let action): try next.perform(action, at: now, &effects)
        }
        self = next
        return effects
    }

    /// The time at which something is due, in milliseconds of the show; nil while nothing is due.
    public var nextDue: Int64? {
        let absences = state.presenters.compactMap(\.absentSince).map(Self.absenceEnd)
        return (absences + [state.loan?.endsAt].compactMap(\.self)).min()
    }

    /// Carries out what is due.
    public mutating func advance(toMilliseconds now: Int64) -> [FloorEffect] {
        var effects: [FloorEffect] = []
        if let end = state.loan?.endsAt, end <= now { endLoan(at: now, &effects) }
        for presenter in state.presenters {
            if let since = presenter.absentSince, Self.absenceEnd(since) <= now {
                removePresenter(presenter.id, at: now, &effects)
            }
        }
        return effects
    }

    /// Continues after a restart or on another server, where all network connections are gone: every presenter has a
    /// minute to come back. The effects repeat who has the floor and what is shown.
    public mutating func resume(atMilliseconds now: Int64) -> [FloorEffect] {
        for index in state.presenters.indices where state.presenters[index].connection != nil {
            state.presenters[index].connection = nil
            state.presenters[index].absentSince = now
        }
        return [
            .holderChanged(from: state.holder, to: state.holder, epoch: state.epoch),
            .screenChanged(screen: state.screen),
        ]
    }

    /// Adopts the term of a server that has taken over. Its presenters have to connect again.
    public mutating func adoptTerm(_ term: UInt32, atMilliseconds now: Int64) -> [FloorEffect] {
        guard term > state.epoch.term else { return [] }
        state.epoch = FloorEpoch(term: term)
        return resume(atMilliseconds: now)
    }

    static func absenceEnd(_ since: Int64) -> Int64 { since.advanced(safelyBy: FloorState.longestAbsence) }
}

extension Int64 {
    /// The sum, or the largest number where it would overflow, because a time from a log may be any number.
    func advanced(safelyBy length: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(length)
        return overflow ? .max : sum
    }
}
