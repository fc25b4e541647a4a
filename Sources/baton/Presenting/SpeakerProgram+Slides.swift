import Foundation
import Hosting
import PresentingProtocol

/// The slides and drawings of a speaker.
extension SpeakerProgram {
    /// The number of times that a file is sent if the connection ends meanwhile; after the second time the file is at
    /// fault.
    private static let mostAttempts = 2

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

    func open(_ path: String, _ command: SpeakerCommand) async {
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

    func sendSlides() async {
        let begin = ContinuousClock.now
        let taken = state.withLock { state -> (SlidesFile, Slides.Place)? in
            guard !state.isSending, let slides = state.slides, let place = state.place else { return nil }
            state.isSending = true
            state.slides?.attempts += 1
            return (slides.file, place)
        }
        guard let (file, place) = taken else { return }
        let outcome = await client.perform(.slides(file))
        let (isGivenUp, hasNewPlace) = state.withLock { state in
            state.isSending = false
            let wasLost = outcome == .connectionLost || outcome == .notConnected
            let isGivenUp = wasLost && (state.slides?.attempts ?? 0) >= Self.mostAttempts
            if outcome == .done {
                state.slides?.arrivedAt = place
                state.slides?.attempts = 0
                state.slide = 1
            }
            if isGivenUp { state.slides = nil }
            if isGivenUp || !wasLost { state.arrived?.finish() }
            return (isGivenUp, state.place != place)
        }
        switch outcome {
        case .done:
            (output as? TerminalSpeakerOutput)?.show(slide: 1)
            let seconds = begin.duration(to: .now) / .seconds(1)
            output.write(
                SpeakerReport("slides", "The server has your slides, after \(seconds.decimalText(1)) s."))
        case .connectionLost where isGivenUp, .notConnected where isGivenUp:
            refuse("slides", SpeakerSentences.slidesRefused)
        case .connectionLost, .notConnected:
            // They are sent again with the next connection, which may be there already.
            if hasNewPlace { await sendSlides() }
        default: report(outcome, of: .slides(path: file.path))
        }
    }

    /// Sends a video beside everything else; commands are taken meanwhile only from a terminal.
    func sendVideo(_ path: String, _ command: SpeakerCommand) async {
        do throws(SlidesFile.Fault) {
            let file = try SlidesFile(path: path, kind: .video)
            let outcome = await client.sendVideo(file, name: file.name)
            guard outcome == .connectionLost else { return report(outcome, of: command) }
            refuse(command.name, SpeakerSentences.videoNotTaken)
        } catch { refuse(command.name, SpeakerSentences.fault(error, of: path)) }
    }

    func draw(_ type: Int, _ path: String, _ command: SpeakerCommand) async {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path)), bytes.count <= 65_535 else {
            return refuse(command.name, "“\(path)” cannot be read, or has more than 65,535 bytes.")
        }
        report(await client.perform(.draw(type: UInt16(type), bytes: [UInt8](bytes))), of: command)
    }
}
