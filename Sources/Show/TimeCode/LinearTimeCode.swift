/// Makes the sound of linear time code (LTC, SMPTE ST 12-1): 80 bits a frame as biphase mark.
///
/// It works on the true place within the frame, so that the speed of the code may change at any sample. Edges rise
/// within two samples, which at 48 kHz is the standard's 40 µs.
public struct LinearTimeCodeEncoder: Sendable {
    private let rate: TimeCodeRate
    private let amplitude: Float
    private let userBits: UInt32
    private var polarity: Float = -1
    /// The half bit that sounds, counted from midnight's frame; nil in silence.
    private var halfBit: Int?
    private var run: Int?
    /// The first frame of a run that sounds, because a decoder needs whole frames.
    private var firstFrame = 0
    private var bits: [Bool] = []
    private var frameOfBits: Int?
    /// The half bit before which the sound ends: half a bit after its last frame, whose end is then heard.
    private var lastHalfBit: Int?
    /// Where the last stretch ended, and the frames that a sample of it took.
    private var end = (place: 0.0, step: 0.0)
    /// The part of the previous sample that counts for the next one.
    private var previous: Float = 0

    /// - Parameters:
    ///   - amplitude: of the square wave, 0…1.
    ///   - userBits: eight digits of four bits each, the first one in the highest.
    public init(rate: TimeCodeRate, amplitude: Float = 0.25, userBits: UInt32 = 0) {
        self.rate = rate
        self.userBits = userBits
        self.amplitude = amplitude
    }

    /// Appends samples of a stretch of code, in which the frames from `start` to `end` pass evenly.
    /// - Parameters:
    ///   - start: frames since midnight, with a fraction; not less than the end of the last stretch of this run.
    ///   - run: a number other than before is a new place, which begins at its first whole frame.
    public mutating func append(
        from start: Double, to end: Double, run: Int, count: Int, to samples: inout [Float]
    ) {
        if run != self.run {
            self.run = run
            firstFrame = Int(start.rounded(.up))
            (halfBit, polarity) = (nil, -1)
        }
        lastHalfBit = nil
        for index in 0..<count {
            let early = start + (end - start) * Double(index) / Double(count)
            let late = start + (end - start) * Double(index + 1) / Double(count)
            appendSmoothed(sample(from: early, to: late), to: &samples)
        }
        if count > 0 { self.end = (end, (end - start) / Double(count)) }
    }

    /// Appends silence, after the rest of a frame that has begun. What follows begins with a whole frame.
    public mutating func appendSilence(count: Int, to samples: inout [Float]) {
        run = nil
        let last = lastHalfBit ?? halfBit.map { ($0 / 160 + 1) * 160 + 1 }
        lastHalfBit = last
        for _ in 0..<count {
            let next = end.place + end.step
            if halfBit != nil, let last, next * Self.halfBitsInFrame < Double(last) {
                appendSmoothed(sample(from: end.place, to: next), to: &samples)
                end.place = next
            } else {
                (halfBit, polarity) = (nil, -1)
                appendSmoothed(0, to: &samples)
            }
        }
    }

    private mutating func appendSmoothed(_ value: Float, to samples: inout [Float]) {
        samples.append((previous + value) / 2)
        previous = value
    }

    /// The mean of the square wave over the places of one sample, which holds one edge at most.
    private mutating func sample(from early: Double, to late: Double) -> Float {
        let before = halfBit == nil ? 0 : polarity * amplitude
        let next = Int((late * Self.halfBitsInFrame).rounded(.down))
        guard next != halfBit, next >= firstFrame * Int(Self.halfBitsInFrame) else { return before }
        if beginsWithEdge(next) { polarity = -polarity }
        halfBit = next
        let edge = Double(next) / Self.halfBitsInFrame
        let share = late > early ? Float(min(max((late - edge) / (late - early), 0), 1)) : 1
        return before + (polarity * amplitude - before) * share
    }

    private static let halfBitsInFrame = 160.0

    /// True if the wave changes at the beginning of a half bit: at each bit, and in the middle of a one.
    private mutating func beginsWithEdge(_ half: Int) -> Bool {
        let frame = half / Int(Self.halfBitsInFrame)
        if frame != frameOfBits {
            bits = Self.bits(of: TimeCodeLabel(frame: frame, rate: rate), rate: rate, userBits: userBits)
            frameOfBits = frame
        }
        let within = half % Int(Self.halfBitsInFrame)
        return within % 2 == 0 || bits[within / 2]
    }

    /// The 80 bits of a frame in the order in which they are sent.
    static func bits(of label: TimeCodeLabel, rate: TimeCodeRate, userBits: UInt32) -> [Bool] {
        var bits = [Bool](repeating: false, count: 80)
        func write(_ value: Int, at first: Int, count: Int) {
            for bit in 0..<count { bits[first + bit] = value >> bit & 1 == 1 }
        }
        write(label.frames % 10, at: 0, count: 4)
        write(label.frames / 10, at: 8, count: 2)
        bits[10] = rate == .dropFrame
        write(label.seconds % 10, at: 16, count: 4)
        write(label.seconds / 10, at: 24, count: 3)
        write(label.minutes % 10, at: 32, count: 4)
        write(label.minutes / 10, at: 40, count: 3)
        write(label.hours % 10, at: 48, count: 4)
        write(label.hours / 10, at: 56, count: 2)
        for digit in 0..<8 { write(Int(userBits >> (4 * digit)) & 15, at: 4 + 8 * digit, count: 4) }
        write(0xBFFC, at: 64, count: 16)
        // An even number of zeros in each frame, so that every frame begins with the same edge.
        if bits.count(where: { !$0 }) % 2 == 1 { bits[rate == .video25 ? 59 : 27] = true }
        return bits
    }
}
