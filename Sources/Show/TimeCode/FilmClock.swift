/// The place of a film that follows the music: a ``CodeClock`` whose line is told anew only where it bends, so that a
/// page needs few values and goes on by itself between them.
public struct FilmClock: Sendable {
    public enum State: String, Sendable {
        /// The music of this film has not begun.
        case waiting
        case following
        /// The film runs on without the music.
        case free
        /// The film stands.
        case holding
    }

    /// Where the film is: at ``seconds`` at ``time``, and from there on at an even speed.
    public struct Line: Equatable, Sendable {
        public var state: State
        /// A number other than before is a jump.
        public var run: Int
        /// Seconds of the clock.
        public var time: Double
        /// Seconds of the film.
        public var seconds: Double
        /// Seconds of the film per second.
        public var speed: Double

        public func seconds(at time: Double) -> Double { seconds + speed * (time - self.time) }
    }

    /// The film's own settings: a slow loop, because an eye sees a change of speed before it sees a distance; and a film
    /// that runs on while the place is lost, because a film that stops is seen by everybody.
    public static let settings: CodeClock.Settings = {
        var settings = CodeClock.Settings()
        settings.naturalFrequency = 0.03
        settings.doublingSeconds = 0.1
        settings.whenLost = .run
        return settings
    }()
    /// A new line is told once it leaves the last one by so many seconds of the film …
    static let mostDistance = 0.01
    /// … or its speed by so much.
    static let mostSpeedChange = 0.01

    private var clock: CodeClock
    public private(set) var line: Line

    /// - Parameter time: the present time.
    public init(_ settings: CodeClock.Settings = Self.settings, at time: Double) {
        clock = CodeClock(settings, at: time)
        line = Line(state: .waiting, run: 0, time: time, seconds: 0, speed: 0)
    }

    /// The time up to which the film has been followed.
    public var time: Double { clock.time }

    /// Seconds of the film by which the music is ahead; nil unless both run.
    public var distance: Double? { clock.distance }

    /// Goes on to a time.
    /// - Parameters:
    ///   - observation: what is known of the music, in the film's seconds.
    ///   - start: the film's second at which its music begins.
    /// - Returns: true if ``line`` is another one.
    /// - Complexity: O(time since the last call), a hundred steps a second.
    public mutating func advance(
        to time: Double, observing observation: CodeClock.Observation, start: Double
    ) -> Bool {
        clock.observe(observation)
        // After the machine stood still there is nothing to make up for.
        if time - clock.time > 5 { clock.skip(to: time) }
        while clock.time < time { _ = clock.advance() }
        let now = newLine(of: observation, start: start)
        guard bends(to: now) else { return false }
        line = now
        return true
    }

    private func newLine(of observation: CodeClock.Observation, start: Double) -> Line {
        guard clock.piece == observation.piece, observation.music != .awaited else {
            return Line(state: .waiting, run: clock.run, time: clock.time, seconds: start, speed: 0)
        }
        let state: State = !clock.isRunning ? .holding : clock.distance == nil ? .free : .following
        return Line(
            state: state, run: clock.run, time: clock.time, seconds: clock.position, speed: clock.speed)
    }

    private func bends(to now: Line) -> Bool {
        now.state != line.state || now.run != line.run
            || abs(now.seconds - line.seconds(at: now.time)) > Self.mostDistance
            || abs(now.speed - line.speed) > Self.mostSpeedChange
    }
}
