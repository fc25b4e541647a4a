import PresentingProtocol

/// The commands of a speaker.
extension SpeakerProgram {
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
        case .video(let path): await sendVideo(path, command)
        case .play(let name): reportVideo(await client.perform(.playVideo(name: name)), of: command)
        case .pause: reportVideo(await client.perform(.pauseVideo), of: command)
        case .stop: reportVideo(await client.perform(.stopVideo), of: command)
        case .seek(let seconds): reportVideo(await client.perform(.seekVideo(seconds: seconds)), of: command)
        case .who: report(await client.perform(.listPresenters), of: command)
        case .wait: await waitForFloor()
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

    func report(_ outcome: PresentingClient.Outcome, of command: SpeakerCommand) {
        switch outcome {
        case .done: output.write(.done(command))
        case .presenters(let all): output.write(.presenters(all))
        case .port: break
        case .refused(let code): refuse(command.name, code: code, SpeakerSentences.refusal(code))
        case .connectionLost: refuse(command.name, SpeakerSentences.connectionLost)
        case .notConnected: refuse(command.name, SpeakerSentences.notConnected)
        case .tooManyWaiting: refuse(command.name, "Too many commands wait for an answer; wait a moment.")
        }
    }

    /// The protocol cannot refuse what is asked of a video: the server ends the connection instead.
    private func reportVideo(_ outcome: PresentingClient.Outcome, of command: SpeakerCommand) {
        guard outcome == .connectionLost else { return report(outcome, of: command) }
        refuse(command.name, SpeakerSentences.videoRefused)
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

    private func waitForFloor() async {
        let (grants, granted) = AsyncStream.makeStream(of: Void.self)
        state.withLock { state in
            if state.hasFloor { granted.finish() } else { state.waiters.append(granted) }
        }
        for await _ in grants {}
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
}
