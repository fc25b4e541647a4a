/// The clock between the follower and the wire: observations of the music in, a smooth time of the reference out.
///
/// A critically damped control loop of second order. It keeps a speed of its own and corrects it by the distance from
/// the music; a step of `d` seconds is `d(1 − ωt)e^(−ωt)` away after `t` seconds, and a change of tempo by `r`
/// `r·t·e^(−ωt)`, with ω = 2π·``Settings/naturalFrequency``, as long as no limit of the speed is met. The time never
/// goes back, and its speed stays within limits, except where the music itself jumps.
///
/// A value without a clock of its own: whoever owns it says up to which time it is wanted. Times are seconds of any
/// steady clock.
public struct CodeClock: Sendable {
    /// Whether the code stops or runs on.
    public enum Conduct: String, Sendable, CaseIterable { case stop, run }

    public struct Settings: Sendable, Equatable {
        /// The natural frequency of the loop in hertz, while the music is near.
        public var naturalFrequency = 0.5
        /// The distance in seconds of the reference at which the frequency is twice as high, up to half a hertz: a loop
        /// that is slow while the music is near still meets one that is not.
        public var doublingSeconds = Double.infinity
        /// The limits of the speed while the code runs, in seconds of the reference per second.
        public var speeds = 0.5...2.0
        /// The largest change of the speed in a second, so that readers of the code keep up with it.
        public var acceleration = 8.0
        /// A distance in seconds of the reference from which on the code jumps to the music instead of approaching it.
        public var jumpSeconds = 4.0
        /// Seconds for which the code runs on when the music stands still, ends or is lost.
        public var freewheelSeconds = 1.0
        /// The speed at which the code goes on after the freewheel while the music stands still; 0 if it then stops.
        public var standingSpeed = 0.0
        public var whenLost = Conduct.stop
        public var whenPanic = Conduct.stop

        public init() {}
    }

    /// The state of the music, as far as it is known.
    public enum Music: Sendable, Equatable {
        /// It is at this second of the reference, and moves on by so many in a second.
        case playing(at: Double, tempo: Double)
        /// It stands still: a hold, a pause, a fermata.
        case standing
        /// Nobody knows where it is.
        case lost
        case panic
        case ended
        /// It has not begun.
        case awaited
    }

    /// The state of the music at a time.
    public struct Observation: Sendable, Equatable {
        /// Tells one time line from another, such as the index of a piece.
        public var piece: Int
        public var time: Double
        public var music: Music

        public init(piece: Int, time: Double, music: Music) {
            (self.piece, self.time, self.music) = (piece, time, music)
        }
    }

    /// A stretch of the code at an even speed.
    public struct Segment: Sendable, Equatable {
        public var piece: Int
        /// Counts the starts and jumps of the code: a number other than before is a new place.
        public var run: Int
        /// When it begins and ends.
        public var times: ClosedRange<Double>
        /// The seconds of the reference between which it runs.
        public var seconds: ClosedRange<Double>

        public init(piece: Int, run: Int, times: ClosedRange<Double>, seconds: ClosedRange<Double>) {
            (self.piece, self.run, self.times, self.seconds) = (piece, run, times, seconds)
        }
    }

    /// The length of a segment in seconds.
    public static let step = 0.01
    /// Seconds without an observation after which the music counts as lost.
    static let longestSilence = 1.0
    /// Below this tempo the music stands still.
    static let slowestMusic = 0.05

    private let settings: Settings
    private var newest: Observation?
    /// Where the code is, in seconds of the reference.
    public private(set) var position = 0.0
    public private(set) var piece: Int?
    /// Seconds of the reference per second; 0 while the code stands.
    public private(set) var speed = 0.0
    /// The seconds by which the music is ahead of the code; nil unless it plays and the code runs.
    public private(set) var distance: Double?
    private var ownSpeed = 1.0
    /// Counts the starts and jumps.
    public private(set) var run = 0
    /// The time up to which the code has been made.
    public private(set) var time: Double
    private var freewheelLeft = 0.0

    public var isRunning: Bool { speed > 0 }

    /// - Parameter time: the present time.
    public init(_ settings: Settings = Settings(), at time: Double) {
        (self.settings, self.time) = (settings, time)
    }

    /// Takes what is known of the music now. An observation that is older than the newest one is ignored.
    public mutating func observe(_ observation: Observation) {
        if let newest, newest.time > observation.time { return }
        newest = observation
    }

    /// Goes on to a later time without a code: after the machine stood still.
    public mutating func skip(to time: Double) {
        guard time > self.time else { return }
        stop()
        self.time = time
    }

    /// Makes the next ``step`` of the code.
    /// - Returns: nil while the code stands.
    public mutating func advance() -> Segment? {
        let from = time
        time += Self.step
        distance = nil
        switch music {
        case .awaited: stop()
        case .panic where settings.whenPanic == .stop: stop()
        case .playing(let place, let tempo) where tempo >= Self.slowestMusic:
            approach(place, tempo: tempo, at: from, piece: newest?.piece ?? 0)
        case .panic: runOn(for: .infinity)
        case .lost: runOn(for: settings.whenLost == .run ? .infinity : settings.freewheelSeconds)
        case .playing, .standing: runOn(for: settings.freewheelSeconds, then: settings.standingSpeed)
        case .ended: runOn(for: settings.freewheelSeconds)
        }
        guard speed > 0, let piece else { return nil }
        let start = position
        position += speed * Self.step
        return Segment(piece: piece, run: run, times: from...time, seconds: start...position)
    }

    private var music: Music {
        guard let newest else { return .awaited }
        guard case .playing = newest.music, time - newest.time > Self.longestSilence else {
            return newest.music
        }
        return .lost
    }

    private mutating func approach(_ place: Double, tempo: Double, at time: Double, piece: Int) {
        let ahead = place + (isRunning ? ownSpeed : tempo) * (time - (newest?.time ?? time)) - position
        guard self.piece == piece, abs(ahead) < settings.jumpSeconds else {
            return start(at: position + ahead, tempo: tempo, piece: piece)
        }
        guard isRunning else {
            // A code that stands waits until the music is there: it does not go back.
            if ahead >= 0 { start(at: position + ahead, tempo: tempo, piece: piece) }
            return
        }
        let near = settings.naturalFrequency
        let hertz = min(near * (1 + abs(ahead) / settings.doublingSeconds), max(near, 0.5))
        let frequency = 2 * Double.pi * hertz
        let wanted = ownSpeed + 2 * frequency * ahead
        change(to: limited(wanted))
        // At a limit the loop does not learn, else it would overshoot.
        if speed == wanted { ownSpeed = limited(ownSpeed + frequency * frequency * ahead * Self.step) }
        (distance, freewheelLeft) = (ahead, .infinity)
    }

    private mutating func start(at place: Double, tempo: Double, piece: Int) {
        (self.piece, position, ownSpeed) = (piece, max(place, 0), limited(tempo))
        (speed, distance, freewheelLeft) = (ownSpeed, 0, .infinity)
        run += 1
    }

    private func limited(_ tempo: Double) -> Double {
        min(max(tempo, settings.speeds.lowerBound), settings.speeds.upperBound)
    }

    /// Runs on at the own speed for so many seconds since the music was last heard, then goes on slowly or stops.
    private mutating func runOn(for seconds: Double, then slowSpeed: Double = 0) {
        guard isRunning else { return }
        freewheelLeft = min(freewheelLeft, seconds)
        // Half a step, because the sum of the steps is not exact.
        let isOver = freewheelLeft < Self.step / 2
        freewheelLeft -= Self.step
        guard isOver else { return change(to: ownSpeed) }
        if slowSpeed > 0 { change(to: slowSpeed) } else { stop() }
    }

    private mutating func change(to wanted: Double) {
        let most = settings.acceleration * Self.step
        speed = abs(wanted - speed) <= most ? wanted : wanted > speed ? speed + most : speed - most
    }

    private mutating func stop() { (speed, freewheelLeft) = (0, 0) }
}
