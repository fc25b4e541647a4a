import Floor

/// The floor is a part of the Podium, so that the show log, replay, restart and the backup server include it.
extension Podium {
    /// The time at which a loan of the floor or the absence of a presenter ends; nil if there is none.
    var floorDue: ShowTime? {
        state.floor.flatMap { Floor(continuing: $0).nextDue }.map(ShowTime.init(milliseconds:))
    }

    /// Passes an event to the floor.
    ///
    /// Presenters act by the number of their connection, which the server of the presenting protocol sets. Whatever the
    /// moderator does needs a technician's rights.
    /// - Returns: the effect of a refusal; nil if the event was processed. Only what the moderator may not do is a
    ///   refusal of a command, which consoles display: mistakes of presenters would disturb the technician.
    mutating func processFloor(
        _ event: FloorEvent, by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) -> PodiumEffect? {
        if event.isModerators, !person.role.hasTechnicianRights { return .refused(.notModerator(person)) }
        var floor = state.floor.map(Floor.init(continuing:)) ?? Floor(term: state.epoch.term)
        do throws(FloorRefusal) {
            effects += try floor.process(event, atMilliseconds: now.milliseconds).map(PodiumEffect.floor)
        } catch {
            return event.isModerators ? .refused(CommandRefusal(error)) : .floor(.refused(error))
        }
        state.floor = floor.state
        return nil
    }

    mutating func advanceFloor(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        guard let floorDue, floorDue <= now else { return }
        changeFloor(&effects) { $0.advance(toMilliseconds: now.milliseconds) }
    }

    mutating func resumeFloor(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        changeFloor(&effects) { $0.resume(atMilliseconds: now.milliseconds) }
    }

    mutating func adoptFloorTerm(_ term: UInt32, at now: ShowTime, _ effects: inout [PodiumEffect]) {
        changeFloor(&effects) { $0.adoptTerm(term, atMilliseconds: now.milliseconds) }
    }

    private mutating func changeFloor(
        _ effects: inout [PodiumEffect], _ change: (inout Floor) -> [FloorEffect]
    ) {
        guard let known = state.floor else { return }
        var floor = Floor(continuing: known)
        effects += change(&floor).map(PodiumEffect.floor)
        state.floor = floor.state
    }
}

extension FloorEvent {
    /// True if only the moderator may cause the event.
    fileprivate var isModerators: Bool {
        switch self {
        case .moderator, .presenter(.moderator, _): true
        case .documentReady(let document): document.owner == .moderator
        case .register, .connectionLost, .presenter: false
        }
    }
}

extension CommandRefusal {
    /// The refusal of an event of the floor, as the answer to whoever caused it.
    public init(_ refusal: FloorRefusal) {
        self.init(CommandRefusalCode(rawValue: refusal.code.rawValue) ?? .notNow, refusal.sentence)
    }

    fileprivate static func notModerator(_ person: CommandSender) -> CommandRefusal {
        CommandRefusal(
            .notAllowed,
            "The floor is moderated by the technician, not by a \(person.role.rawValue); ask there.")
    }
}
