import Basics

/// Registers and removes presenters, and keeps their requests and files.
extension Floor {
    mutating func register(
        _ name: String, address: String, connection: String, at now: Int64, _ effects: inout [FloorEffect]
    ) throws(FloorRefusal) {
        guard (1...FloorState.longestName).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .badName }
        guard state.presenter(connectedBy: connection) == nil else { throw .hasRegistered }
        // Somebody whose connection was lost comes back from the same machine. The server may not have noticed the
        // loss.
        if let index = state.presenters.firstIndex(where: { $0.name == name && $0.address == address }) {
            if let lost = state.presenters[index].connection {
                effects.append(.left(presenter: state.presenters[index].id, connection: lost))
            }
            state.presenters[index].connection = connection
            state.presenters[index].absentSince = nil
            effects.append(.registered(presenter: state.presenters[index].id, connection: connection))
            return
        }
        let id = try makeRoom(at: now, &effects)
        var presenter = FloorPresenter(id: id, name: name, address: address, connection: connection)
        presenter.nameNumber = nameNumber(forNew: name)
        insert(presenter)
        effects.append(.registered(presenter: id, connection: connection))
    }

    /// Returns the lowest number that tells a new presenter apart from the others; nil if the name alone does.
    private func nameNumber(forNew name: String) -> Int? {
        let taken = Set(
            state.presenters.lazy.filter { $0.id != .moderator }.map { NameRule.shape(of: $0.shownName) })
        guard taken.contains(NameRule.shape(of: name)) else { return nil }
        return (2...).first { !taken.contains(NameRule.shape(of: FloorPresenter.numberedName(name, $0))) }
    }

    /// Finds a free number. If there is none, the presenter without the floor who is absent for the longest time
    /// leaves.
    private mutating func makeRoom(at now: Int64, _ effects: inout [FloorEffect])
        throws(FloorRefusal) -> FloorPresenter.ID
    {
        let used = Set(state.presenters.map(\.id.rawValue))
        if let free = (UInt8(1)...UInt8(FloorState.mostPresenters)).first(where: { !used.contains($0) }) {
            return FloorPresenter.ID(rawValue: free)
        }
        let absent = state.presenters.filter {
            !$0.isPresent && $0.id != state.holder && $0.id != state.loan?.lender
        }
        guard let longest = absent.min(by: { $0.absentSince ?? .max < $1.absentSince ?? .max }) else {
            throw .full
        }
        removePresenter(longest.id, at: now, &effects)
        return longest.id
    }

    mutating func insert(_ presenter: FloorPresenter) {
        let index = state.presenters.firstIndex { $0.id > presenter.id } ?? state.presenters.endIndex
        state.presenters.insert(presenter, at: index)
    }

    mutating func markAbsent(_ connection: String, at now: Int64) {
        guard let index = state.presenters.firstIndex(where: { $0.connection == connection }) else { return }
        state.presenters[index].connection = nil
        state.presenters[index].absentSince = now
    }

    /// Removes a presenter with requests and files. The floor goes back to the lender, or to nobody. What is on the
    /// screen stays there, so its file stays too.
    mutating func removePresenter(_ id: FloorPresenter.ID, at now: Int64, _ effects: inout [FloorEffect]) {
        guard let index = state.presenters.firstIndex(where: { $0.id == id }) else { return }
        if state.loan?.lender == id { state.loan = nil }
        if state.holder == id {
            if state.loan != nil { endLoan(at: now, &effects) } else { giveFloor(to: nil, at: now, &effects) }
        }
        state.requests.removeAll { $0.presenter == id }
        // A later presenter with this number must not control what is left of this one.
        let shown = shownDocument
        state.documents.removeAll { $0.owner == id && $0.id != shown }
        for index in state.documents.indices where state.documents[index].owner == id {
            state.documents[index].owner = .nobody
        }
        if state.screen.presenter == id { changeScreen(&effects) { $0.presenter = nil } }
        let connection = state.presenters.remove(at: index).connection
        effects.append(.left(presenter: id, connection: connection))
    }

    mutating func addDocument(_ document: FloorDocument, _ effects: inout [FloorEffect]) throws(FloorRefusal)
    {
        guard let index = state.presenters.firstIndex(where: { $0.id == document.owner }) else {
            throw .unknown
        }
        guard document.kind == .video || document.pages > 0, state.document(document.id) == nil else {
            throw .badDocument
        }
        // A later video takes the place of an earlier one with its name, unless that one is on the screen.
        let onScreen = shownDocument
        state.documents.removeAll {
            $0.owner == document.owner && $0.kind == .video && document.kind == .video
                && $0.name == document.name
                && $0.id != onScreen
        }
        guard state.documents.count(where: { $0.owner == document.owner }) < FloorState.mostDocumentsEach
        else {
            throw .tooManyDocuments
        }
        state.documents.append(document)
        guard document.kind == .slides else { return }
        // Nothing can show the slides before them again, but they may be on the screen.
        let shown = shownDocument
        state.documents.removeAll {
            $0.owner == document.owner && $0.kind == .slides && ![document.id, shown].contains($0.id)
        }
        state.presenters[index].document = document.id
        state.presenters[index].page = 1
        if state.holder == document.owner, !isVideoShown {
            // If the holder made the screen black, sending other slides keeps it black; only showing a page ends it.
            showPage(of: document.owner, keepsBlank: state.screen.presenter == document.owner, &effects)
        }
    }

    mutating func requestFloor(_ id: FloorPresenter.ID, at now: Int64, _ effects: inout [FloorEffect])
        throws(FloorRefusal)
    {
        guard state.holder != id else { throw .hasFloor }
        guard !state.requests.contains(where: { $0.presenter == id }) else { return }
        state.requests.append(FloorRequest(presenter: id, since: now, isAnnounced: false))
        effects.append(.requested(by: id))
        announceRequests(&effects)
    }

    /// Tells the holder of the requests that it does not know yet, unless it must not be disturbed.
    mutating func announceRequests(_ effects: inout [FloorEffect]) {
        guard !state.holdsRequestsBack, let holder = state.holder else { return }
        for index in state.requests.indices where !state.requests[index].isAnnounced {
            state.requests[index].isAnnounced = true
            effects.append(.announceRequest(of: state.requests[index].presenter, to: holder))
        }
    }
}

extension FloorRefusal {
    static let hasRegistered = FloorRefusal(.notNow, "This connection is registered already.")
}
