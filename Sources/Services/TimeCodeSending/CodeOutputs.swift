import Basics
import MIDILinks
import Sound
import TimeCode
import TimeCodeLinks

/// A way out of time code. The sender's thread alone uses it; nothing waits.
protocol CodeOutput: AnyObject {
    /// The name for people, such as `LTC`.
    var name: String { get }
    /// Takes the next stretch of code some hundredths of a second before its time; nil while the code stands.
    func take(_ segment: CodeClock.Segment?, beginning time: Double, at now: Double) throws(ExplainedError)
    /// Leaves the code to another server, so that nothing tells a desk to stop.
    func leave()
    /// Sends what is due.
    func sendDue(at now: Double) throws(ExplainedError)
    /// When the next message is due; nil if none waits.
    var nextDue: Double? { get }
}

extension CodeOutput {
    func leave() {}
}

/// Linear time code, played by a sound device.
final class LinearCodeOutput: CodeOutput {
    let name = "LTC"
    let nextDue: Double? = nil
    private let settings: TimeCodeSettings
    private let device: SoundOutput
    private var encoder: LinearTimeCodeEncoder

    init(_ settings: TimeCodeSettings, device: String) throws(ExplainedError) {
        self.settings = settings
        self.device = try SoundOutput(device: device, channel: settings.soundChannel, bufferSeconds: 0.2)
        encoder = settings.makeEncoder()
    }

    func take(_ segment: CodeClock.Segment?, beginning time: Double, at now: Double) throws(ExplainedError) {
        let rate = SoundOutput.rate.hertz
        let missing = (time - now) * rate - Double(device.queuedFrames)
        var samples: [Float] = []
        let usual = Int(CodeClock.step * rate)
        // The device's own clock is a little faster or slower: a few samples more or less keep pace with it.
        if missing > 8 * Double(usual) {
            encoder.appendSilence(count: Int(missing), to: &samples)
        } else if missing < -8 * Double(usual) {
            return encoder.appendSilence(count: 0, to: &samples)
        }
        let count = usual + Int(max(-3, min(3, missing / 50)))
        if let segment {
            let frames = settings.frames(of: segment)
            encoder.append(
                from: frames.lowerBound, to: frames.upperBound, run: segment.run, count: count, to: &samples)
        } else {
            encoder.appendSilence(count: count, to: &samples)
        }
        try device.write(samples)
    }

    func sendDue(at now: Double) {}
}

extension TimeCodeSettings {
    package func makeEncoder() -> LinearTimeCodeEncoder {
        LinearTimeCodeEncoder(rate: rate, amplitude: Float(amplitude), userBits: userBits)
    }
}

/// Messages that are sent when a part of a frame or of a beat begins.
final class MessageCodeOutput: CodeOutput {
    let name: String
    private var frames: CodeFrames
    private var firstPart = 0
    /// True between the message that begins a run and the one that ends it.
    private var isStarted = false
    private var waiting: [(time: Double, bytes: [UInt8])] = []
    private let messages: Messages
    private let send: ([UInt8]) throws(ExplainedError) -> Void

    /// Makes the messages of the parts of a frame or beat.
    struct Messages: Sendable {
        var partsInUnit: Int
        /// After the beginning of a run the parts are left out until one whose number is a multiple of this.
        var partsInSet = 1
        /// A message that is later than this, in seconds, would tell a wrong time and is left out.
        var longestDelay: Double
        /// The places of a stretch in frames or beats.
        var place: @Sendable (CodeClock.Segment) throws(ExplainedError) -> ClosedRange<Double>
        /// The message that begins a run at a new place, of which the first part is given; nil if there is none.
        var begin: @Sendable (_ place: Double, _ firstPart: Int) -> [UInt8]? = { _, _ in nil }
        /// The message of a part, counted from the beginning of the places; nil if it has none.
        var part: @Sendable (Int) -> [UInt8]?
        /// The message that ends a run; nil if there is none.
        var stop: [UInt8]?
    }

    /// Messages on a raw MIDI port.
    static func midi(_ name: String, _ messages: Messages, port: MIDIPort) throws(ExplainedError)
        -> MessageCodeOutput
    {
        try port.checkOutput()
        return MessageCodeOutput(name, messages) { bytes throws(ExplainedError) in try port.send(bytes) }
    }

    /// MIDI time code.
    static func midiMessages(_ settings: TimeCodeSettings) -> Messages {
        let rate = settings.rate
        return Messages(
            partsInUnit: 4, partsInSet: 8, longestDelay: 1 / rate.framesPerSecond,
            place: { settings.frames(of: $0) },
            begin: { place, _ in
                MIDITimeCode.fullFrame(
                    TimeCodeLabel(frame: Int(place.rounded(.down)), rate: rate), rate: rate)
            },
            part: {
                MIDITimeCode.quarterFrame(
                    $0 % 8, of: TimeCodeLabel(frame: $0 / 8 * 2, rate: rate), rate: rate)
            })
    }

    /// MIDI clock with song position.
    /// - Parameter beats: gives the beats of a stretch of code since the first bar line.
    static func clockMessages(
        beats: @escaping @Sendable (CodeClock.Segment) throws(ExplainedError) -> ClosedRange<Double>
    ) -> Messages {
        // A pulse that is left out would move all that follow, so even a late one is sent.
        Messages(
            partsInUnit: MIDIClock.pulsesInBeat, partsInSet: MIDIClock.pulsesInPosition,
            longestDelay: .infinity, place: beats, begin: { MIDIClock.begin(atPulse: $1) },
            part: { _ in MIDIClock.pulse }, stop: MIDIClock.stop)
    }

    /// Art-Net time code to one address.
    static func artNet(_ settings: TimeCodeSettings, address: String) throws(ExplainedError)
        -> MessageCodeOutput
    {
        let network = try DatagramPort(address, defaultPort: ArtTimeCode.port)
        let rate = settings.rate
        let messages = Messages(
            partsInUnit: 1, longestDelay: 1 / rate.framesPerSecond, place: { settings.frames(of: $0) },
            part: { ArtTimeCode.packet(TimeCodeLabel(frame: $0, rate: rate), rate: rate) })
        return MessageCodeOutput("Art-Net", messages) { bytes throws(ExplainedError) in
            try network.send(bytes)
        }
    }

    init(_ name: String, _ messages: Messages, send: @escaping ([UInt8]) throws(ExplainedError) -> Void) {
        (self.name, self.messages, self.send) = (name, messages, send)
        frames = CodeFrames(partsInFrame: messages.partsInUnit)
    }

    var nextDue: Double? { waiting.first?.time }

    func take(_ segment: CodeClock.Segment?, beginning time: Double, at now: Double) throws(ExplainedError) {
        guard let segment else { return end(at: time) }
        let place = try messages.place(segment)
        let (starts, isNew) = frames.starts(in: place, times: segment.times, run: segment.run)
        if isNew || !isStarted {
            end(at: time)
            let lowest = max(Int((place.lowerBound * Double(messages.partsInUnit)).rounded(.up)), 0)
            firstPart = (lowest + messages.partsInSet - 1) / messages.partsInSet * messages.partsInSet
            if let bytes = messages.begin(place.lowerBound, firstPart) { waiting.append((time, bytes)) }
            isStarted = true
        }
        for start in starts where start.number >= firstPart {
            if let bytes = messages.part(start.number) { waiting.append((start.time, bytes)) }
        }
    }

    private func end(at time: Double) {
        if isStarted, let bytes = messages.stop { waiting.append((time, bytes)) }
        isStarted = false
    }

    func leave() { isStarted = false }

    func sendDue(at now: Double) throws(ExplainedError) {
        while let first = waiting.first, first.time <= now {
            waiting.removeFirst()
            if now - first.time < messages.longestDelay { try send(first.bytes) }
        }
    }
}
