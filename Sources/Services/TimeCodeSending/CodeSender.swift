import Basics
import Glibc
import MIDILinks
import Platform
import Synchronization
import TimeCode

/// Makes the code from what is known of the music and gives it to all outputs; a thread of its own, below the follower's.
final class CodeSender: Sendable {
    /// The state of the code and its outputs, for the console.
    struct Status: Equatable, Sendable {
        var isRunning = false
        /// The label that is sent, or at which the code stands; nil before the first.
        var label: TimeCodeLabel?
        /// Seconds of the reference per second.
        var speed = 0.0
        /// The seconds by which the music is ahead of the code; nil unless both run.
        var distance: Double?
        /// For each output, by its name, the reason why it sends nothing; nil if all is well.
        var outputs: [Output] = []

        struct Output: Equatable, Sendable {
            var name: String
            var trouble: String?
        }
    }

    private struct Shared {
        var observation: CodeClock.Observation?
        var isSwitchedOn = false
        var isActiveServer = false
        /// The beats of the piece that the observation is of; nil if they are not known.
        var beats: (piece: Int, conversion: BarLineConversion)?
        /// When the test code began; nil while there is none.
        var testStart: Double?
        var status = Status()
    }

    private let settings: TimeCodeSettings
    private let ports: MIDIPorts
    private let maySend: @Sendable () -> Bool
    private let shared = Mutex(Shared())

    /// Seconds by which the code is made before its time, so that a sound device always has enough.
    static let lead = 0.1
    static let testSeconds = 10.0
    /// Below the show engine's.
    static let threadPriority: Int32 = 40

    /// - Parameter maySend: called before each stretch, which is sent only if it returns true.
    init(
        _ settings: TimeCodeSettings, ports: MIDIPorts = MIDIPorts(),
        maySend: @escaping @Sendable () -> Bool
    ) {
        (self.settings, self.ports, self.maySend) = (settings, ports, maySend)
    }

    var status: Status { shared.withLock { $0.status } }

    /// Takes what is known of the music.
    /// - Parameters:
    ///   - isSwitchedOn: false if a person has switched the code off.
    ///   - isActiveServer: false while another server sends.
    ///   - beats: converts the piece's seconds of code to beats; nil if its beats are not known.
    func takeObservation(
        _ observation: CodeClock.Observation, isSwitchedOn: Bool = true, isActiveServer: Bool = true,
        beats: BarLineConversion? = nil
    ) {
        shared.withLock { shared in
            (shared.observation, shared.isSwitchedOn) = (observation, isSwitchedOn)
            shared.isActiveServer = isActiveServer
            shared.beats = beats.map { (observation.piece, $0) }
        }
    }

    /// The beats of a stretch of code; those of test code are half seconds.
    private func beats(of segment: CodeClock.Segment) throws(ExplainedError) -> ClosedRange<Double> {
        let (start, end) = (segment.seconds.lowerBound, segment.seconds.upperBound)
        guard segment.piece >= 0 else { return start * 2...end * 2 }
        guard let known = shared.withLock({ $0.beats }), known.piece == segment.piece else {
            throw ExplainedError(
                "No MIDI clock is sent, because the beats of a bar of this piece are not known; give them on the page "
                    + "/prepare.")
        }
        return known.conversion.value(at: start)...known.conversion.value(at: end)
    }

    /// Sends ten seconds of test code from midnight on.
    /// - Returns: false if the code runs, or is tested already.
    func beginTest() -> Bool {
        shared.withLock { shared in
            guard !shared.status.isRunning, shared.testStart == nil else { return false }
            shared.testStart = MonotonicClock.now.seconds
            return true
        }
    }

    /// Sends until told to stop. Needs its own thread.
    func run(until stop: StopRequest) {
        var clock = CodeClock(settings.clock, at: MonotonicClock.now.seconds + Self.lead)
        var outputs = makeSlots()
        while !stop.isMade {
            var now = MonotonicClock.now.seconds
            // After the machine slept there is nothing to make up for.
            if clock.time < now { clock.skip(to: now + Self.lead) }
            while clock.time < now + Self.lead {
                makeStep(&clock, outputs, at: now)
                now = MonotonicClock.now.seconds
            }
            for slot in outputs {
                slot.use(at: now) { output throws(ExplainedError) in try output.sendDue(at: now) }
            }
            publish(clock, outputs)
            let due = outputs.compactMap(\.nextDue).min() ?? .infinity
            Self.sleep(min(due, clock.time - Self.lead) - MonotonicClock.now.seconds)
        }
        outputs.removeAll()
    }

    private func makeStep(_ clock: inout CodeClock, _ outputs: [OutputSlot], at now: Double) {
        let (observation, isSwitchedOn, isActiveServer) = shared.withLock { shared in
            let (isOn, isActive) = (shared.isSwitchedOn, shared.isActiveServer)
            guard let start = shared.testStart else { return (shared.observation, isOn, isActive) }
            let isOver = now - start > Self.testSeconds
            if isOver { shared.testStart = nil }
            return (
                CodeClock.Observation(
                    piece: -1, time: now, music: isOver ? .awaited : .playing(at: now - start, tempo: 1)),
                isOn, isActive
            )
        }
        if let observation { clock.observe(observation) }
        let time = clock.time
        let segment = clock.advance()
        let isOurs = isActiveServer && maySend()
        let sent = isOurs && isSwitchedOn ? segment : nil
        for slot in outputs {
            slot.use(at: now) { output throws(ExplainedError) in
                if !isOurs { output.leave() }
                try output.take(sent, beginning: time, at: now)
            }
        }
    }

    private func publish(_ clock: CodeClock, _ outputs: [OutputSlot]) {
        let status = Status(
            isRunning: clock.isRunning,
            label: clock.piece.map { settings.label(ofPiece: $0, second: clock.position) },
            speed: clock.speed, distance: clock.distance,
            outputs: outputs.map { .init(name: $0.name, trouble: $0.trouble) })
        shared.withLock { $0.status = status }
    }

    private func makeSlots() -> [OutputSlot] {
        var slots: [OutputSlot] = []
        let settings = settings
        if let device = settings.soundDevice {
            slots.append(
                OutputSlot("LTC") { () throws(ExplainedError) in
                    try LinearCodeOutput(settings, device: device)
                })
        }
        if let path = settings.midiPort {
            let port = ports.port(at: path)
            slots.append(
                OutputSlot("MTC") { () throws(ExplainedError) in
                    try MessageCodeOutput.midi("MTC", MessageCodeOutput.midiMessages(settings), port: port)
                })
        }
        if let path = settings.clockPort {
            let port = ports.port(at: path)
            let messages = MessageCodeOutput.clockMessages { [self] segment throws(ExplainedError) in
                try beats(of: segment)
            }
            slots.append(
                OutputSlot("MIDI clock") { () throws(ExplainedError) in
                    try MessageCodeOutput.midi("MIDI clock", messages, port: port)
                })
        }
        if let address = settings.artNetAddress {
            slots.append(
                OutputSlot("Art-Net") { () throws(ExplainedError) in
                    try MessageCodeOutput.artNet(settings, address: address)
                })
        }
        return slots
    }

    private static func sleep(_ seconds: Double) {
        guard seconds > 0 else { return }
        var length = timespec(tv_sec: 0, tv_nsec: Int(min(seconds, 0.02) * 1e9))
        nanosleep(&length, nil)
    }
}

/// An output that is opened again each second while its device is away.
private final class OutputSlot {
    let name: String
    private let open: () throws(ExplainedError) -> any CodeOutput
    private var output: (any CodeOutput)?
    private var retryTime = -Double.infinity
    private(set) var trouble: String?

    init(_ name: String, open: @escaping () throws(ExplainedError) -> any CodeOutput) {
        (self.name, self.open) = (name, open)
    }

    var nextDue: Double? { output?.nextDue }

    /// Uses the output, unless its device is away.
    func use(at now: Double, _ work: (any CodeOutput) throws(ExplainedError) -> Void) {
        guard output != nil || now >= retryTime else { return }
        do throws(ExplainedError) {
            if output == nil { output = try open() }
            if let output { try work(output) }
            trouble = nil
        } catch {
            (output, trouble, retryTime) = (nil, error.sentence, now + 1)
        }
    }
}
