/// Passes the floor from one presenter to another.
extension Floor {
    mutating func perform(
        _ action: PresenterAction, by id: FloorPresenter.ID, at now: Int64, _ effects: inout [FloorEffect]
    ) throws(FloorRefusal) {
        guard state.presenter(id) != nil else { throw .unknown }
        switch action {
        case .unregister: return removePresenter(id, at: now, &effects)
        case .requestFloor: return try requestFloor(id, at: now, &effects)
        case .withdrawRequest: return state.requests.removeAll { $0.presenter == id }
        case .setDoNotDisturb(let isOn):
            guard let index = state.presenters.firstIndex(where: { $0.id == id }) else { throw .unknown }
            state.presenters[index].isDoNotDisturb = isOn
            return announceRequests(&effects)
        case .recallLoan(let seconds):
            guard state.loan?.lender == id else { throw state.holder == id ? .noLoan : .noFloor }
            return try endLoan(afterSeconds: seconds, at: now, &effects)
        default: break
        }
        guard state.holder == id else { throw .noFloor }
        switch action {
        case .handOver(let other):
            guard state.loan == nil else { throw .isLent }
            try checkReceiver(other)
            giveFloor(to: other, at: now, &effects)
        case .lend(let other, let seconds):
            guard state.loan == nil else { throw .isLent }
            try lend(to: other, seconds: seconds, at: now, &effects)
        case .returnFloor:
            if state.loan != nil { endLoan(at: now, &effects) } else { giveFloor(to: nil, at: now, &effects) }
        default: try show(action, by: id, at: now, &effects)
        }
    }

    mutating func perform(_ action: ModeratorAction, at now: Int64, _ effects: inout [FloorEffect])
        throws(FloorRefusal)
    {
        switch action {
        case .grant(let id):
            try checkReceiver(id)
            state.loan = nil
            giveFloor(to: id, at: now, &effects)
        case .lend(let id, let seconds):
            guard state.holder != nil else { throw .noHolder }
            guard state.loan == nil else { throw .isLent }
            try lend(to: id, seconds: seconds, at: now, &effects)
        case .takeFloor(let name):
            guard state.holder != .moderator else { throw .hasFloor }
            if state.presenter(.moderator) == nil {
                insert(FloorPresenter(id: .moderator, name: name, address: "", connection: nil))
            }
            state.loan = nil
            giveFloor(to: .moderator, at: now, &effects)
        case .endLoan:
            guard state.loan != nil else { throw .noLoan }
            endLoan(at: now, &effects)
        case .withdraw:
            guard state.holder != nil else { throw .noHolderToWithdraw }
            state.loan = nil
            giveFloor(to: nil, at: now, &effects)
        case .declineRequest(let id):
            guard let index = state.requests.firstIndex(where: { $0.presenter == id }) else {
                throw .noRequest
            }
            state.requests.remove(at: index)
            effects.append(.declined(presenter: id))
        case .setDoNotDisturb(let isOn):
            state.isDoNotDisturb = isOn
            announceRequests(&effects)
        case .blank(let colour): blankByModerator(colour, &effects)
        case .stop: stop(at: now, &effects)
        case .remove(let id):
            guard state.presenter(id) != nil else { throw .noPresenter(id) }
            removePresenter(id, at: now, &effects)
        case .playVideo(let isOn):
            guard !isOn || !isVideoShown || state.screen.presenter == state.holder else {
                throw .videoWithoutFloor
            }
            try changeVideo(at: now, &effects) { $1 = isOn }
        case .moveVideo(let seconds):
            try changeVideo(at: now, &effects) { place, _ in place += Double(seconds) }
        }
    }

    /// The only place at which the holder changes, so that the epoch rises with each change.
    mutating func giveFloor(to id: FloorPresenter.ID?, at now: Int64, _ effects: inout [FloorEffect]) {
        let from = state.holder
        guard id != from else { return }
        pauseVideo(at: now, &effects)
        state.holder = id
        state.epoch = state.epoch.next
        state.requests.removeAll { $0.presenter == id }
        for index in state.requests.indices { state.requests[index].isAnnounced = false }
        effects.append(.holderChanged(from: from, to: id, epoch: state.epoch))
        if let id { showPage(of: id, &effects) }
        announceRequests(&effects)
    }

    private func checkReceiver(_ id: FloorPresenter.ID) throws(FloorRefusal) {
        guard let presenter = state.presenter(id), presenter.isPresent else { throw .noPresenter(id) }
        guard id != state.holder else { throw .hasFloor }
    }

    private mutating func lend(
        to id: FloorPresenter.ID, seconds: Int?, at now: Int64, _ effects: inout [FloorEffect]
    ) throws(FloorRefusal) {
        try checkReceiver(id)
        guard let lender = state.holder else { throw .noHolder }
        var end: Int64?
        if let seconds {
            guard (1...Self.longestSeconds).contains(seconds) else { throw .badLoanSeconds }
            end = now.advanced(safelyBy: Int64(seconds) * 1_000)
        }
        giveFloor(to: id, at: now, &effects)
        state.loan = FloorLoan(lender: lender, endsAt: end)
    }

    private mutating func endLoan(
        afterSeconds seconds: Int, at now: Int64, _ effects: inout [FloorEffect]
    ) throws(FloorRefusal) {
        guard (0...Self.longestSeconds).contains(seconds) else { throw .badSeconds }
        guard seconds > 0 else { return endLoan(at: now, &effects) }
        let end = now.advanced(safelyBy: Int64(seconds) * 1_000)
        let planned = state.loan?.endsAt ?? .max
        state.loan?.endsAt = min(planned, end)
    }

    /// Gives a lent floor back to its lender.
    mutating func endLoan(at now: Int64, _ effects: inout [FloorEffect]) {
        guard let loan = state.loan else { return }
        state.loan = nil
        giveFloor(to: loan.lender, at: now, &effects)
    }

    static let longestSeconds = 86_400
}

extension FloorRefusal {
    static let noHolderToWithdraw = FloorRefusal(
        .notNow, "Nobody has the floor, so there is nothing to withdraw.")
}
