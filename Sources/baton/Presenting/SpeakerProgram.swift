import Basics
import Foundation
import Hosting
import PresentingProtocol
import Synchronization

/// Carries out a speaker's commands: finds people by name, sends slides again after a lost connection, and says what
/// was refused.
final class SpeakerProgram: Sendable {
    let client: PresentingClient
    let output: any SpeakerOutput
    private let events: AsyncStream<PresentingClient.Event>
    private let registered: AsyncStream<Void>
    private let hasRegistered: AsyncStream<Void>.Continuation
    let state = Mutex(State())

    struct State {
        var hasFloor = false
        var slides: Slides?
        /// The slide that was shown last; nil if only the server knows it.
        var slide: Int?
        var isSending = false
        var hasRefusals = false
        var place: Slides.Place?
        /// Ended when the slides have arrived, or cannot.
        var arrived: AsyncStream<Void>.Continuation?
        /// Ended when the floor is granted.
        var waiters: [AsyncStream<Void>.Continuation] = []
    }

    /// The slides of this run, and where they have arrived.
    struct Slides {
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
            throw ExplainedError(SpeakerSentences.fault(fault, at: client.endpoints))
        }
    }

    /// Unregisters, so that the floor is free at once.
    func leave() async {
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
        for waiter in waiters { waiter.finish() }
        if case .registered = event { hasRegistered.yield() }
        if needsSlides { Task { await sendSlides() } }
    }
}
