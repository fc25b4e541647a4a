import Basics
import Floor
import Foundation
import Hosting
import Podium
import PresentingProtocol

/// The way of one presenter to the floor: the same checks and limits for a program on the port and for the page.
actor PresenterEntrance {
    /// Identifies the presenter's connection to the floor.
    nonisolated let connection: String
    private let show: ShowInbox
    private let slides: SlideStore
    private let drawings: DrawingBoard
    private(set) var name = ""
    private var refusalsInARow = 0
    /// The time at which the drawings taken so far are over at their pace.
    private var drawingEnds = ContinuousClock.now

    private static let mostRefusalsInARow = 20
    private static let refusalWait = Duration.seconds(1)
    /// The show log keeps drawings, so they are taken no faster than this.
    private static let drawnBytesPerSecond = 20_000
    /// The bytes in the show log beside those of a drawing.
    private static let drawingOverhead = 200

    init(connection: String, show: ShowInbox, slides: SlideStore, drawings: DrawingBoard) {
        (self.connection, self.show, self.slides, self.drawings) = (connection, show, slides, drawings)
    }

    private var sender: CommandSender { CommandSender(name: name, role: .presenter) }
    private nonisolated var floor: FloorState? { show.newestSnapshot.state.floor }

    /// The presenter who is registered over this connection; nil if nobody is.
    nonisolated var presenter: FloorPresenter.ID? { floor?.presenter(connectedBy: connection)?.id }

    /// True if the presenter has the floor.
    nonisolated var hasFloor: Bool { presenter.map { $0 == floor?.holder } ?? false }

    /// Everybody whom the moderator or a speaker can choose, in the order of their numbers.
    nonisolated var listedPresenters: [ListedPresenter] { floor?.listedPresenters ?? [] }

    /// - Parameter address: where the presenter comes from; the same name from there gets the same number again.
    func register(_ name: String, address: String) async -> CommandOutcome {
        let name = NameRule.cleaned(name)
        self.name = name
        return await show.submitEvent(
            .floor(.register(name: name, address: address, connection: connection), by: sender))
    }

    nonisolated func reportConnectionLost(of name: String) {
        show.post(
            .floor(
                .connectionLost(connection: connection), by: CommandSender(name: name, role: .presenter)))
    }

    /// Carries out an action of the presenter. Refused actions are in the show log too, so a presenter who is refused
    /// again and again is slowed down.
    func act(_ action: PresenterAction) async throws -> CommandOutcome {
        guard let presenter else { throw NotRegistered() }
        let outcome = await show.submitEvent(.floor(.presenter(id: presenter, action: action), by: sender))
        refusalsInARow = outcome.isDone ? 0 : refusalsInARow + 1
        if refusalsInARow > Self.mostRefusalsInARow { try await Task.sleep(for: Self.refusalWait) }
        return outcome
    }

    /// Nobody is registered over this connection.
    struct NotRegistered: Error {}

    /// Draws on the presenter's slide, or points at it.
    /// - Throws: ``DrawingRefusal`` if the drawing cannot be understood or the page is full.
    func draw(type: UInt16, bytes: [UInt8]) async throws -> CommandOutcome {
        guard !SlideDrawing.isBroken(type: type, bytes: bytes) else { throw DrawingRefusal.notUnderstood }
        if case .pointer(let point) = SlideDrawing(type: type, bytes: bytes) {
            guard hasFloor, floor?.screen.presenter == presenter else { throw DrawingRefusal.noFloor }
            drawings.point(at: point)
            return .done(show.newestSnapshot.state.epoch)
        }
        if type == SlideDrawing.strokeType, case .page(let document, let page)? = floor?.screen.content,
            !drawings.hasRoom(forBytes: bytes.count, document: document, page: page)
        {
            throw DrawingRefusal.pageIsFull
        }
        let outcome = try await act(.annotate(type: type, base64: Data(bytes).base64EncodedString()))
        try await waitForDrawing(byteCount: bytes.count)
        return outcome
    }

    /// Waits as long as a drawing takes at its pace, after those before it.
    private func waitForDrawing(byteCount: Int) async throws {
        let seconds = Double(byteCount + Self.drawingOverhead) / Double(Self.drawnBytesPerSecond)
        drawingEnds = max(.now, drawingEnds) + .seconds(seconds)
        try await Task.sleep(until: drawingEnds, clock: .continuous)
    }

    /// Checks a PDF that has arrived and makes it the presenter's slides. Its pages are drawn ahead.
    /// - Returns: the number of pages.
    /// - Throws: ``ScorePagesError`` if it cannot be shown, ``SlidesRefusal`` if the floor does not take it.
    func addSlides(_ file: ArrivingSlides) async throws -> Int {
        do {
            try await file.close()
            let pages = try await slides.check(file)
            guard let presenter else { throw NotRegistered() }
            let document = FloorDocument(id: file.id, owner: presenter, name: "", kind: .slides, pages: pages)
            let outcome = await show.submitEvent(.floor(.documentReady(document: document), by: sender))
            guard outcome.isDone else { throw SlidesRefusal(outcome: outcome) }
            await slides.endFile(file, known: { floor?.documents ?? [] })
            Task(priority: .utility) { [slides] in await slides.drawAhead(file.id) }
            return pages
        } catch {
            await discard(file)
            throw error
        }
    }

    /// Begins a PDF.
    /// - Throws: ``ExplainedError`` if the disk has no room.
    func beginSlides(byteCount: Int) async throws -> ArrivingSlides {
        try await slides.beginFile(byteCount: byteCount, known: { floor?.documents ?? [] })
    }

    /// Begins a video of the presenter.
    /// - Throws: ``ExplainedError`` if there is no room for it, ``NotRegistered``.
    func beginVideo(byteCount: Int) async throws -> ArrivingSlides {
        guard let presenter else { throw NotRegistered() }
        return try await slides.beginVideo(
            byteCount: byteCount, beside: Set(videos(of: presenter).map(\.id)),
            known: { floor?.documents ?? [] })
    }

    /// Checks a video that has arrived and makes it one of the presenter's. A later one takes the place of an earlier
    /// one with its name.
    /// - Throws: ``VideoRefusal`` if browsers do not play it, ``SlidesRefusal`` if the floor does not take it.
    func addVideo(_ file: ArrivingSlides, name: String) async throws {
        do {
            try await file.close()
            try await slides.checkVideo(file)
            guard let presenter else { throw NotRegistered() }
            let document = FloorDocument(id: file.id, owner: presenter, name: name, kind: .video, pages: 0)
            let outcome = await show.submitEvent(.floor(.documentReady(document: document), by: sender))
            guard outcome.isDone else { throw SlidesRefusal(outcome: outcome) }
            await slides.endFile(file, known: { floor?.documents ?? [] })
            Task(priority: .utility) { [slides] in _ = await slides.frame(ofVideo: file.id) }
        } catch {
            await discard(file)
            throw error
        }
    }

    /// The presenter's videos that are ready, in the order of their arrival.
    nonisolated var videos: [FloorDocument] { presenter.map(videos) ?? [] }

    private nonisolated func videos(of id: FloorPresenter.ID) -> [FloorDocument] {
        (floor?.documents ?? []).filter { $0.owner == id && $0.kind == .video }
    }

    /// Gives up a file that has not arrived whole, or cannot be used.
    func discard(_ file: ArrivingSlides) async {
        try? await file.close()
        await slides.endFile(file, known: { floor?.documents ?? [] })
    }
}

/// The reason why a drawing is not taken.
enum DrawingRefusal: Explained {
    case notUnderstood
    case pageIsFull
    case noFloor

    var sentence: String {
        switch self {
        case .notUnderstood:
            "This is no drawing that the screens can show; docs/speakers.md describes their bytes."
        case .pageIsFull: "This page cannot take more drawings; clear it first."
        case .noFloor: "Your slide is not on the screen; ask for the floor and wait for the grant."
        }
    }
}

/// The floor did not take the slides.
struct SlidesRefusal: Error {
    var outcome: CommandOutcome
}
