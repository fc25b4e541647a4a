import Floor
import Hosting
import PresentingProtocol

/// Serves the connection of one presenter: turns messages into events of the floor, and answers them.
///
/// A presenter is known by the connection, not by the number in a message. What the protocol cannot refuse ends the
/// connection.
struct PresenterSession {
    let connection: PresentingConnection
    let settings: PresentingSettings
    private let slides: SlideStore
    private let entrance: PresenterEntrance
    private let videos: VideoReceiver
    private let guesses: CodeGuesses
    private var name = ""
    private var arriving: ArrivingSlides?
    private var pace = MessagePace()

    /// Ends the connection; nothing else is affected.
    private struct Ended: Error {}

    /// The time for registering, after which a connection is closed.
    static let registrationTime = Duration.seconds(30)
    /// The list of presenters has up to 50 kB, so it is sent no more often.
    private static let listWait = Duration.milliseconds(100)

    init(
        connection: PresentingConnection, settings: PresentingSettings, slides: SlideStore,
        entrance: PresenterEntrance, doors: OpenDoors, guesses: CodeGuesses
    ) {
        (self.connection, self.settings, self.slides, self.entrance) = (
            connection, settings, slides, entrance
        )
        self.guesses = guesses
        videos = VideoReceiver(entrance: entrance, doors: doors)
    }

    /// Serves the connection until it ends.
    mutating func run(_ reader: inout PresentingReader) async {
        let deadline = Task { [connection, entrance] in
            try await Task.sleep(for: Self.registrationTime)
            if entrance.presenter == nil { connection.close() }
        }
        defer { deadline.cancel() }
        do {
            while let part = try await reader.next() { try await take(part) }
        } catch let fault as PresentingFault {
            refuse(fault)
        } catch {
            // A connection that broke, or that sent what cannot be answered: it ends here.
        }
        videos.close()
        if let arriving { await entrance.discard(arriving) }
        if !name.isEmpty { entrance.reportConnectionLost(of: name) }
    }

    /// - Throws: ``Ended`` if nobody is registered over this connection.
    private func presenter() throws -> FloorPresenter.ID {
        guard let id = entrance.presenter else { throw Ended() }
        return id
    }

    private mutating func take(_ part: PresentingDecoder.Part) async throws {
        switch part {
        case .message(.registerRequest(let text), _):
            try await pace.wait()
            try await register(text)
        case .message(let message, _):
            try await pace.wait()
            try await take(message, from: try presenter())
        case .fileBegins(.pdf, let count, _):
            _ = try presenter()
            arriving = try await entrance.beginSlides(byteCount: count)
        case .fileBegins(.video, _, _): throw Ended()
        case .fileBytes(let bytes): try await arriving?.write(bytes)
        case .fileEnds: try await finishSlides()
        }
    }

    /// Answers a message that cannot be read, if the protocol has a failure for it. The connection ends in any case,
    /// because the next message cannot be found.
    private func refuse(_ fault: PresentingFault) {
        switch (fault.command, entrance.presenter) {
        case (0x01, _): connection.send(.registerFailure, id: 255)
        case (0x0C, let id?):
            connection.send(.signalFailure(code: SignalFailure.badValue.rawValue, detail: 0), id: id.rawValue)
        default: break
        }
    }

    private mutating func register(_ text: String) async throws {
        guard name.isEmpty else { return connection.send(.registerFailure, id: 255) }
        let checked = settings.checkedName(text)
        guard await guesses.isTaken(isRight: checked != nil, from: connection.address), let name = checked
        else {
            try await Task.sleep(for: CodeGuesses.wait)
            connection.send(.registerFailure, id: 255)
            throw Ended()
        }
        guard connection.takePresentersPlace() else {
            connection.send(.registerFailure, id: 255)
            throw Ended()
        }
        guard await entrance.register(name, address: connection.address).isDone else {
            connection.send(.registerFailure, id: 255)
            return
        }
        // The success was sent with the effect.
        self.name = name
    }

    private mutating func take(_ message: PresentingMessage, from id: FloorPresenter.ID) async throws {
        switch message {
        case .unregisterRequest:
            connection.confirmUnregistration(id: id.rawValue)
            _ = try await entrance.act(.unregister)
            name = ""
            throw Ended()
        case .controlRequest:
            if entrance.hasFloor {
                connection.send(.grantControl, id: id.rawValue)
            } else {
                try await answer(.controlResponse, to: .requestFloor, by: id)
            }
        case .controlSignal(let signal): try await take(signal, from: id)
        case .playVideo(let name): try await answer(.playVideoSuccess, to: .playVideo(name: name), by: id)
        case .pauseVideo: try await answer(.pauseVideoSuccess, to: .pauseVideo, by: id)
        case .stopVideo: try await answer(.stopVideoSuccess, to: .stopVideo, by: id)
        case .seekVideo(let seconds):
            try await answer(.seekVideoSuccess, to: .seekVideo(seconds: seconds), by: id)
        case .prepareVideo:
            let door = await videos.openDoor(
                at: settings.address, for: connection.address, limits: settings.limits)
            guard let door else { throw Ended() }
            connection.send(.prepareVideoResponse(port: door), id: id.rawValue)
        case .annotation(let type, let bytes):
            guard try await entrance.draw(type: type, bytes: bytes).isDone else { throw Ended() }
            connection.send(.annotationResponse, id: id.rawValue)
        case .presentersRequest:
            connection.send(.presenters(entrance.listedPresenters), id: id.rawValue)
            try await Task.sleep(for: Self.listWait)
        default: throw Ended()
        }
    }

    private mutating func take(_ signal: PresentingSignal, from id: FloorPresenter.ID) async throws {
        guard let action = PresenterAction(signal) else {
            return connection.send(
                .signalFailure(code: SignalFailure.unknownSignal.rawValue, detail: 0), id: id.rawValue)
        }
        let outcome = try await entrance.act(action)
        connection.send(
            outcome.isDone
                ? .signalSuccess : .signalFailure(code: SignalFailure(outcome).rawValue, detail: 0),
            id: id.rawValue)
    }

    /// Answers an action that the protocol cannot refuse: a refused action ends the connection.
    private mutating func answer(
        _ success: PresentingMessage, to action: PresenterAction, by id: FloorPresenter.ID
    ) async throws {
        guard try await entrance.act(action).isDone else { throw Ended() }
        connection.send(success, id: id.rawValue)
    }

    private mutating func finishSlides() async throws {
        guard let file = arriving else { return }
        arriving = nil
        _ = try await entrance.addSlides(file)
        connection.send(.pdfAcknowledge, id: try presenter().rawValue)
    }
}

extension PresenterAction {
    /// The action that a control signal asks for; nil for an unknown one.
    init?(_ signal: PresentingSignal) {
        switch signal {
        case .next: self = .nextPage
        case .previous: self = .previousPage
        case .goTo(let slide): self = .goToPage(number: Int(slide))
        case .blank(let isWhite): self = .blank(colour: isWhite ? .white : .black)
        case .handOver(let presenter, 0): self = .handOver(to: FloorPresenter.ID(rawValue: presenter))
        case .handOver(let presenter, let seconds):
            self = .lend(
                to: FloorPresenter.ID(rawValue: presenter), seconds: seconds == .max ? nil : Int(seconds))
        case .withdraw(let counter): self = .recallLoan(afterSeconds: Int(counter))
        case .returnControl: self = .returnFloor
        case .unknown: return nil
        }
    }
}

/// The error codes of a refused control signal.
enum SignalFailure: UInt8 {
    case noFloor = 1
    case noPresenter = 2
    case noSlides = 3
    case noPage = 4
    case notNow = 5
    case badValue = 6
    case unknownSignal = 7
    /// The server is busy, is the backup, or cannot write its log.
    case unavailable = 8

    init(_ outcome: CommandOutcome) {
        guard case .refused(let refusal, _) = outcome else {
            self = .unavailable
            return
        }
        self =
            switch refusal.code {
            case .noFloor: .noFloor
            case .noPresenter: .noPresenter
            case .noDocument: .noSlides
            case .noPage: .noPage
            case .badValue: .badValue
            default: .notNow
            }
    }
}

extension CommandOutcome {
    /// True if the command was executed, even if the disk has not taken it.
    var isDone: Bool {
        switch self {
        case .done, .doneButNotSaved: true
        case .refused, .busy, .notActiveServer: false
        }
    }
}

/// Slows down a connection that sends more than 100 messages within a second.
private struct MessagePace {
    private static let mostEachSecond = 100
    private var begin = ContinuousClock.now
    private var count = 0

    mutating func wait() async throws {
        count += 1
        guard count > Self.mostEachSecond else { return }
        try await Task.sleep(until: begin + .seconds(1), clock: .continuous)
        (begin, count) = (ContinuousClock.now, 1)
    }
}
