import Basics
import Sound
import TimeCode
import TimeCodeLinks

/// A way out of time code. The sender's thread alone uses it; nothing waits.
protocol CodeOutput: AnyObject {
    /// The name for people, such as `LTC`.
    var name: String { get }
    /// Takes the next stretch of code some hundredths of a second before its time; nil while the code stands.
    func take(_ segment: CodeClock.Segment?, beginning time: Double, at now: Double) throws(ExplainedError)
    /// Sends what is due.
    func sendDue(at now: Double) throws(ExplainedError)
    /// When the next message is due; nil if none waits.
    var nextDue: Double? { get }
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

/// Messages that are sent when a frame, or a quarter of one, begins.
final class MessageCodeOutput: CodeOutput {
    let name: String
    private let settings: TimeCodeSettings
    private var frames: CodeFrames
    private var firstPart = 0
    private var waiting: [(time: Double, bytes: [UInt8])] = []
    private let messages: Messages
    private let send: ([UInt8]) throws(ExplainedError) -> Void

    /// Makes the messages of the parts of a frame.
    struct Messages: Sendable {
        var partsInFrame: Int
        /// After the beginning of a run the parts are left out until one whose number is a multiple of this.
        var partsInSet = 1
        /// The message that begins a run at a new place; nil if there is none.
        var locate: @Sendable (TimeCodeLabel, TimeCodeRate) -> [UInt8]?
        /// The message of a part, counted since midnight; nil if it has none.
        var part: @Sendable (Int, TimeCodeRate) -> [UInt8]?
    }

    /// MIDI time code on a raw port.
    static func midi(_ settings: TimeCodeSettings, port: String) throws(ExplainedError) -> MessageCodeOutput {
        let midi = try RawMIDIPort(path: port)
        return MessageCodeOutput("MTC", settings, midiMessages) { bytes throws(ExplainedError) in
            try midi.send(bytes)
        }
    }

    static let midiMessages = Messages(
        partsInFrame: 4, partsInSet: 8, locate: { MIDITimeCode.fullFrame($0, rate: $1) },
        part: {
            let label = TimeCodeLabel(frame: $0 / 8 * 2, rate: $1)
            return MIDITimeCode.quarterFrame($0 % 8, of: label, rate: $1)
        })

    /// Art-Net time code to one address.
    static func artNet(_ settings: TimeCodeSettings, address: String) throws(ExplainedError)
        -> MessageCodeOutput
    {
        let network = try DatagramPort(address, defaultPort: ArtTimeCode.port)
        let messages = Messages(
            partsInFrame: 1, locate: { _, _ in nil },
            part: { ArtTimeCode.packet(TimeCodeLabel(frame: $0, rate: $1), rate: $1) })
        return MessageCodeOutput("Art-Net", settings, messages) { bytes throws(ExplainedError) in
            try network.send(bytes)
        }
    }

    init(
        _ name: String, _ settings: TimeCodeSettings, _ messages: Messages,
        send: @escaping ([UInt8]) throws(ExplainedError) -> Void
    ) {
        (self.name, self.settings, self.messages, self.send) = (name, settings, messages, send)
        frames = CodeFrames(partsInFrame: messages.partsInFrame)
    }

    var nextDue: Double? { waiting.first?.time }

    func take(_ segment: CodeClock.Segment?, beginning time: Double, at now: Double) {
        guard let segment else { return }
        let place = settings.frames(of: segment)
        let (starts, isNew) = frames.starts(in: place, times: segment.times, run: segment.run)
        if isNew {
            let label = TimeCodeLabel(frame: Int(place.lowerBound.rounded(.down)), rate: settings.rate)
            if let bytes = messages.locate(label, settings.rate) { waiting.append((time, bytes)) }
            let lowest = Int((place.lowerBound * Double(messages.partsInFrame)).rounded(.up))
            firstPart = (lowest + messages.partsInSet - 1) / messages.partsInSet * messages.partsInSet
        }
        for start in starts where start.number >= firstPart {
            if let bytes = messages.part(start.number, settings.rate) { waiting.append((start.time, bytes)) }
        }
    }

    func sendDue(at now: Double) throws(ExplainedError) {
        while let first = waiting.first, first.time <= now {
            waiting.removeFirst()
            // A message that is late by more than a frame would tell a wrong time.
            if now - first.time < 1 / settings.rate.framesPerSecond { try send(first.bytes) }
        }
    }
}
