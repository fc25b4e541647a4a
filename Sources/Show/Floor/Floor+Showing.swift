/// Changes what is on the screen.
extension Floor {
    mutating func show(
        _ action: PresenterAction, by id: FloorPresenter.ID, at now: Int64, _ effects: inout [FloorEffect]
    ) throws(FloorRefusal) {
        switch action {
        case .nextPage: try goToPage(of: id, { $0 + 1 }, &effects)
        case .previousPage: try goToPage(of: id, { $0 - 1 }, &effects)
        case .goToPage(let number): try goToPage(of: id, { _ in number }, &effects)
        case .blank(let colour):
            guard !state.screen.isBlankedByModerator else { return }
            changeScreen(&effects) { $0.blank = colour }
        case .playVideo(let name):
            guard
                let video = state.documents.last(where: {
                    $0.owner == id && $0.kind == .video && $0.name == name
                })
            else { throw .noVideo(name) }
            try playVideo(video.id, by: id, at: now, &effects)
        case .pauseVideo:
            try checkShowsVideo(id)
            pauseVideo(at: now, &effects)
        case .stopVideo:
            try checkShowsVideo(id)
            guard state.presenter(id)?.document == nil else { return showPage(of: id, &effects) }
            changeScreen(&effects) { $0.content = .nothing }
        case .seekVideo(let seconds):
            guard seconds.isFinite, (0...Double(Self.longestSeconds)).contains(seconds) else {
                throw .badVideoPosition
            }
            try checkShowsVideo(id)
            try changeVideo(at: now, &effects) { place, _ in place = seconds }
        case .annotate(let type, let base64):
            guard case .page(let document, let page) = state.screen.content,
                state.document(document)?.owner == id
            else { throw .noSlides }
            effects.append(
                PresenterAction.drawnTypes.contains(type)
                    ? .drawn(document: document, page: page, type: type, base64: base64)
                    : .annotated(document: document, page: page))
        case .unregister, .requestFloor, .withdrawRequest, .recallLoan, .setDoNotDisturb, .handOver, .lend,
            .returnFloor:
            break
        }
    }

    private mutating func goToPage(
        of id: FloorPresenter.ID, _ number: (Int) -> Int, _ effects: inout [FloorEffect]
    ) throws(FloorRefusal) {
        guard let index = state.presenters.firstIndex(where: { $0.id == id }),
            let document = state.presenters[index].document.flatMap(state.document)
        else { throw .noSlides }
        let page = number(state.presenters[index].page)
        guard (1...document.pages).contains(page) else { throw .noPage(page, of: document.pages) }
        state.presenters[index].page = page
        showPage(of: id, &effects)
    }

    /// Shows the page at which a presenter is. Without slides the screen keeps what it shows.
    mutating func showPage(
        of id: FloorPresenter.ID, keepsBlank: Bool = false, _ effects: inout [FloorEffect]
    ) {
        guard let presenter = state.presenter(id), let document = presenter.document else { return }
        changeScreen(&effects) {
            $0.content = .page(document: document, number: presenter.page)
            $0.presenter = id
            if !$0.isBlankedByModerator, !keepsBlank { $0.blank = .none }
        }
    }

    private mutating func playVideo(
        _ document: FloorDocument.ID, by id: FloorPresenter.ID, at now: Int64, _ effects: inout [FloorEffect]
    ) throws(FloorRefusal) {
        // Playing the paused video again goes on where it stands.
        var seconds = 0.0
        if case .video(document, let shown, _, false) = state.screen.content { seconds = shown }
        if case .video(document, _, _, true) = state.screen.content { return }
        changeScreen(&effects) {
            $0.content = .video(document: document, seconds: seconds, since: now, isPlaying: true)
            $0.presenter = id
            if !$0.isBlankedByModerator { $0.blank = .none }
        }
    }

    private func checkShowsVideo(_ id: FloorPresenter.ID) throws(FloorRefusal) {
        guard isVideoShown, state.screen.presenter == id else { throw .noVideo }
    }

    /// Changes the place of the video on the screen, in seconds, or whether it plays.
    mutating func changeVideo(
        at now: Int64, _ effects: inout [FloorEffect],
        _ change: (_ place: inout Double, _ isPlaying: inout Bool) -> Void
    ) throws(FloorRefusal) {
        guard case .video(let document, var place, let since, var isPlaying) = state.screen.content else {
            throw .noVideoShown
        }
        if isPlaying, now > since { place += Double(now - since) / 1_000 }
        let before = (place, isPlaying)
        change(&place, &isPlaying)
        guard before != (place, isPlaying) else { return }
        place = min(max(place, 0), Double(Self.longestSeconds))
        changeScreen(&effects) {
            $0.content = .video(document: document, seconds: place, since: now, isPlaying: isPlaying)
        }
    }

    var isVideoShown: Bool {
        if case .video = state.screen.content { true } else { false }
    }

    /// The file that is on the screen.
    var shownDocument: FloorDocument.ID? { state.screen.document }

    /// Makes a playing video stand still, because its presenter loses the floor.
    mutating func pauseVideo(at now: Int64, _ effects: inout [FloorEffect]) {
        changeScreen(&effects) { $0.pauseVideo(at: now) }
    }

    mutating func blankByModerator(_ colour: FloorScreen.Blank, _ effects: inout [FloorEffect]) {
        changeScreen(&effects) {
            $0.blank = colour
            $0.isBlankedByModerator = colour != .none
        }
    }

    mutating func stop(at now: Int64, _ effects: inout [FloorEffect]) {
        state.loan = nil
        giveFloor(to: nil, at: now, &effects)
        changeScreen(&effects) {
            $0 = FloorScreen()
            $0.blank = .black
        }
        forgetDocumentsWithoutOwner()
    }

    mutating func changeScreen(
        _ effects: inout [FloorEffect], _ change: (inout FloorScreen) -> Void
    ) {
        let before = state.screen
        change(&state.screen)
        guard state.screen != before else { return }
        effects.append(.screenChanged(screen: state.screen))
        forgetDocumentsWithoutOwner()
    }

    /// Removes the file of a presenter who has left, unless the screen still shows it.
    private mutating func forgetDocumentsWithoutOwner() {
        let shown = shownDocument
        state.documents.removeAll { $0.owner == .nobody && $0.id != shown }
    }
}

extension FloorScreen {
    mutating func pauseVideo(at now: Int64) {
        guard case .video(let document, let seconds, let since, true) = content else { return }
        let played = now > since ? Double(now - since) / 1_000 : 0
        content = .video(document: document, seconds: seconds + played, since: now, isPlaying: false)
    }
}
