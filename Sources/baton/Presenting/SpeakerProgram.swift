import Foundation
import Hosting
import PresentingProtocol
import Synchronization

/// Carries out a speaker's commands: finds people by name, sends slides again after a lost connection, and says what was
/// refused.
final class SpeakerProgram: Sendable {
    let client: PresentingClient
    private let output: any SpeakerOutput
    private let events: AsyncStream<PresentingClient.Event>
    private let registered: AsyncStream<Void>
    private let hasRegistered: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    private struct State {
        var hasFloor = false
        var slides: Slides?
        /// The slide that was shown last; nil if only the server knows it.
        var slide: Int?
        var isSending = false
        var hasRefusals = false
        var place: Slides.Place?
        /// Ended when the slides have arrived, or cannot.
        var arrived: AsyncStream<Void>.Continuation?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The slides of this run, and where they have arrived.
    private struct Slides {
        struct Place: Equatable {
            var endpoint: PresentingClient.Endpoint
            var id: UInt8
            /// Rises when the server may have forgotten its presenters.
            var era = 0
        }

        var file: SlidesFile
        var arrivedAt: Place?
        var attempts = 0
    }

    /// How often a file is sent whose connection ends meanwhile: the second time it is the file's fault.
    private static let mostAttempts = 2
    /// The longest wait for the answer to unregistering.
    private static let leavingTime = Duration.seconds(2)

    init(
        endpoints: [PresentingClient.Endpoint], name: String, patience: Duration?, output: any SpeakerOutput
    ) {
        let (events, happened) = AsyncStream.makeStream(of: PresentingClient.Event.self)
        client = PresentingClient(endpoints: endpoints, name: name, patience: patience) { happened.yield($0) }
        (self.output, self.events) = (output, events)
        (registered, hasRegistered) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// True if anything was refused.
    var hasRefusals: Bool { state.withLock { $0.hasRefusals } }

    /// Keeps the connection until the speaker leaves.
    /// - Throws: ``ExplainedError`` if the server cannot be reached or refuses the speaker.
    func run() async throws {
        let reports = Task { for await event in events { take(event) } }
        defer { reports.cancel() }
        do { try await client.run() } catch let fault as PresentingClient.Fault {
            throw ExplainedError(sentence: SpeakerSentences.fault(fault, at: client.endpoints))
        }
    }

    /// Unregisters, so that the floor is free at once.
    func leave() async {
        for waiter in state.withLock({ state in
            defer { state.waiters = [] }
            return state.waiters
        }) { waiter.resume() }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            _ = await client.perform(.unregister)
            end.finish()
        }
        Task {
            try? await Task.sleep(for: Self.leavingTime)
            end.finish()
        }
        for await _ in ends {}
    }

    /// Waits until the server has given a number; the task's cancellation ends the wait.
    func waitForNumber() async { for await _ in registered { return } }

    /// Waits until the slides that were given have arrived, or are refused.
    func waitForSlides() async {
        let arrival = state.withLock { state in
            state.slides.map { _ in
                let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
                state.arrived = arrived
                if state.slides?.arrivedAt != nil { arrived.finish() }
                return arrivals
            }
        }
        if let arrival { for await _ in arrival {} }
    }

    private func take(_ event: PresentingClient.Event) {
        output.write(SpeakerReport(event))
        let (waiters, needsSlides) = state.withLock { state in
            switch event {
            case .floorGranted: state.hasFloor = true
            case .floorWithdrawn, .disconnected: state.hasFloor = false
            case .numberLost: state.place?.era += 1
            case .registered(let id, let endpoint, _):
                state.place = .init(endpoint: endpoint, id: id, era: state.place?.era ?? 0)
            case .sent: break
            }
            let granted = state.hasFloor ? state.waiters : []
            if state.hasFloor { state.waiters = [] }
            guard case .registered = event, let slides = state.slides else { return (granted, false) }
            return (granted, slides.arrivedAt != state.place && !state.isSending)
        }
        for waiter in waiters { waiter.resume() }
        if case .registered = event { hasRegistered.yield() }
        if needsSlides { Task { await sendSlides() } }
    }

    /// Carries a command out, and says what came of it.
    func carryOut(_ command: SpeakerCommand) async {
        switch command {
        case .next: await signal(.next, command, movesTo: { $0 + 1 })
        case .previous: await signal(.previous, command, movesTo: { $0 - 1 })
        case .goTo(let slide): await signal(.goTo(slide: UInt8(slide)), command, movesTo: { _ in slide })
        case .ask: report(await client.perform(.askForFloor), of: command)
        case .handOn(let text): await withPresenter(text, command) { .handOver(to: $0, seconds: 0) }
        case .lend(let text, let seconds):
            await withPresenter(text, command) {
                .handOver(to: $0, seconds: seconds.map { UInt16($0) } ?? .max)
            }
        case .recall(let seconds): await signal(.withdraw(counter: UInt8(seconds)), command)
        case .giveBack: await signal(.returnControl, command)
        case .blank(let isWhite): await signal(.blank(isWhite: isWhite), command)
        case .slides(let path): await open(path, command)
        case .draw(let type, let path): await draw(type, path, command)
        case .who: report(await client.perform(.listPresenters), of: command)
        case .wait:
            await withCheckedContinuation { waiter in
                let hasFloor = state.withLock { state in
                    if !state.hasFloor { state.waiters.append(waiter) }
                    return state.hasFloor
                }
                if hasFloor { waiter.resume() }
            }
        case .help:
            let lines = SpeakerCommand.descriptions.map { "\($0.use): \($0.meaning)" }
            output.write(SpeakerReport("help", lines.joined(separator: "\n")))
        case .quit: break
        }
    }

    func refuse(_ command: String, code: UInt8? = nil, _ sentence: String) {
        state.withLock { $0.hasRefusals = true }
        output.write(.refused(command, code: code, sentence))
    }

    private func report(_ outcome: PresentingClient.Outcome, of command: SpeakerCommand) {
        switch outcome {
        case .done: output.write(.done(command))
        case .presenters(let all): output.write(.presenters(all))
        case .refused(let code): refuse(command.name, code: code, SpeakerSentences.refusal(code))
        case .connectionLost: refuse(command.name, SpeakerSentences.connectionLost)
        case .notConnected: refuse(command.name, SpeakerSentences.notConnected)
        case .tooManyWaiting: refuse(command.name, "Too many commands wait for an answer; wait a moment.")
        }
    }

    private func signal(
        _ signal: PresentingSignal, _ command: SpeakerCommand, movesTo slide: ((Int) -> Int)? = nil
    ) async {
        guard !state.withLock({ $0.isSending }) else { return refuse(command.name, SpeakerSentences.sending) }
        let outcome = await client.perform(.signal(signal))
        if outcome == .done, let slide {
            let shown = state.withLock { state in
                // After “go to” the number is certain; “next” counts from what is known.
                if case .goTo = command {
                    state.slide = slide(0)
                } else {
                    state.slide = state.slide.map(slide)
                }
                return state.slide
            }
            (output as? TerminalSpeakerOutput)?.show(slide: shown)
        }
        report(outcome, of: command)
    }

    /// Gives a signal that names another speaker.
    private func withPresenter(
        _ text: String, _ command: SpeakerCommand, _ make: (UInt8) -> PresentingSignal
    ) async {
        if let number = UInt8(text), (1...254).contains(number) { return await signal(make(number), command) }
        let answer = await client.perform(.listPresenters)
        guard case .presenters(let all) = answer else { return report(answer, of: command) }
        let own = state.withLock { $0.place?.id }
        switch Self.presenter(named: text, among: all.filter { $0.id != own }) {
        case .success(let id): await signal(make(id), command)
        case .failure(let fault): refuse(command.name, fault.sentence)
        }
    }

    /// Finds a speaker by the name or its beginning, whatever the case of its letters.
    static func presenter(
        named text: String, among all: [ListedPresenter]
    ) -> Result<UInt8, SpeakerCommand.Fault> {
        let wanted = text.lowercased()
        let same = all.filter { $0.name.lowercased() == wanted }
        let found = same.isEmpty ? all.filter { $0.name.lowercased().hasPrefix(wanted) } : same
        if found.count == 1 { return .success(found[0].id) }
        let names = (found.isEmpty ? all : found).prefix(10).map {
            "\(SpeakerSentences.printable($0.name)) (\($0.id))"
        }
        let sentence =
            found.isEmpty
            ? all.isEmpty
                ? "Nobody else is here."
                : "Nobody is called “\(text)”; here are \(names.joined(separator: ", "))."
            : "“\(text)” may be \(names.joined(separator: " or ")); give the number."
        return .failure(.init(sentence: sentence))
    }

    private func open(_ path: String, _ command: SpeakerCommand) async {
        do throws(SlidesFile.Fault) {
            let file = try SlidesFile(path: path)
            guard await takeSlides(file) else { return refuse(command.name, SpeakerSentences.sending) }
            await sendSlides()
        } catch { refuse(command.name, SpeakerSentences.fault(error, of: path)) }
    }

    /// Makes a file the slides of this run; they are sent as soon as there is a connection.
    /// - Returns: false while others are being sent.
    func takeSlides(_ file: SlidesFile) async -> Bool {
        state.withLock { state in
            guard !state.isSending else { return false }
            state.slides = Slides(file: file)
            return true
        }
    }

    private func sendSlides() async {
        let begin = ContinuousClock.now
        let taken = state.withLock { state -> (SlidesFile, Slides.Place)? in
            guard !state.isSending, let slides = state.slides, let place = state.place else { return nil }
            state.isSending = true
            state.slides?.attempts += 1
            return (slides.file, place)
        }
        guard let (file, place) = taken else { return }
        let outcome = await client.perform(.slides(file))
        let attempts = state.withLock { state in
            state.isSending = false
            if outcome == .done {
                state.slides?.arrivedAt = place
                state.slides?.attempts = 0
                state.slide = 1
            }
            if outcome == .done || (state.slides?.attempts ?? 0) >= Self.mostAttempts {
                state.arrived?.finish()
            }
            return state.slides?.attempts ?? 0
        }
        switch outcome {
        case .done:
            (output as? TerminalSpeakerOutput)?.show(slide: 1)
            let seconds = begin.duration(to: .now) / .seconds(1)
            output.write(
                SpeakerReport("slides", "The server has your slides, after \(seconds.decimalText(1)) s."))
        case .connectionLost where attempts >= Self.mostAttempts:
            state.withLock { $0.slides = nil }
            refuse("slides", SpeakerSentences.slidesRefused)
        case .connectionLost, .notConnected:
            // They are sent again with the next connection. It may be there already.
            if state.withLock({ $0.place != nil && $0.place != place }) { await sendSlides() }
        default: report(outcome, of: .slides(path: file.path))
        }
    }

    private func draw(_ type: Int, _ path: String, _ command: SpeakerCommand) async {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)), bytes.count <= 65_535 else {
            return refuse(command.name, "“\(path)” cannot be read, or has more than 65,535 bytes.")
        }
        report(await client.perform(.draw(type: UInt16(type), bytes: [UInt8](bytes))), of: command)
    }
}
