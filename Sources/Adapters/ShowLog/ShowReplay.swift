import Podium

/// Replays the events of a show's log with a new Podium, and compares the resulting effects with the logged ones, byte
/// for byte.
///
/// Differences do not end the replay: they are collected with file and line. After lost lines nothing is compared until
/// the next snapshot. Only one line is held in memory, however long the show was.
public struct ShowReplay {
    /// One line of the log, replayed.
    public struct ReplayedLine: Sendable {
        public var time: ShowTime
        /// The time of day as ISO 8601; nil if the line does not contain it.
        public var timeOfDay: String?
        /// The event on this line; nil if the line is of another kind.
        public var event: PodiumEvent?
        public var replayedEffects: [PodiumEffect]
        /// The replayed effects as JSON. They equal the logged effects unless there is a difference; empty if there are
        /// none.
        public var replayedEffectsJSON: [UInt8]
        public var packetAndClientCounts: PacketAndClientCounts?
        public var note: String?
        public var isEnd: Bool
    }

    /// A line of the log that the replay produced otherwise.
    public struct Difference: Equatable, Sendable {
        public var logFilePath: String
        public var lineNumber: Int
        /// The text in the log; empty if the log has none.
        public var loggedText: String
        /// The text that the replay produced instead.
        public var replayedText: String

        public var sentence: String {
            "\(logFilePath), line \(lineNumber): the log has \(Self.shorten(loggedText)), but its events lead to "
                + "\(Self.shorten(replayedText)); the log was changed, or another version of baton wrote it."
        }

        private static func shorten(_ text: String) -> String {
            text.isEmpty ? "nothing" : text.utf8.count > 200 ? text.prefix(200) + "…" : text
        }
    }

    /// The state of the show after the last replayed line; nil before the first snapshot.
    public private(set) var podium: Podium?
    /// The show time of the last replayed line.
    public private(set) var time = ShowTime.zero
    public private(set) var differences: [Difference] = []
    /// The number of effects and states compared so far.
    public private(set) var comparedLineCount = 0
    /// The number of lines that were lost, as far as the log itself reports them.
    public private(set) var lostLineCount: UInt64 = 0

    private var reader: ShowLogReader
    private var peekedLine: LogLine?
    private var lastLineLocation = (path: "", line: 0)
    /// True while differences are expected and therefore not reported: before the first snapshot, and after lost lines
    /// until the next one.
    private var isStateUncertain = true

    /// - Throws: ``ShowLogFault`` if the show's folder cannot be read.
    public init(show: String, whenDamaged: ShowLogReader.DamageHandling = .throwFault) throws(ShowLogFault) {
        reader = try ShowLogReader(show: show, whenDamaged: whenDamaged)
    }

    public var header: LogHeader? { reader.header }
    /// Where the show began; nil before the first snapshot, and in the logs of earlier versions.
    public private(set) var origin: ShowOrigin?
    /// The time at which the show began, ISO 8601; nil before the first line.
    public var started: String? { origin?.started ?? header?.started }
    public var damage: [ShowLogFault] { reader.damage }

    /// Replays the next line; nil at the end of the log.
    /// - Throws: ``ShowLogFault`` if the log cannot be read further.
    public mutating func replayNextLine() throws(ShowLogFault) -> ReplayedLine? {
        while let line = try nextLine() {
            let place = lastLineLocation
            time = ShowTime(milliseconds: line.milliseconds)
            var step = ReplayedLine(
                time: time, timeOfDay: line.timeOfDay, replayedEffects: [], replayedEffectsJSON: [],
                isEnd: line.kind == .end)
            switch line.kind {
            case .event: try replayEvent(line, place, &step)
            case .snapshot: try compareSnapshot(line, place)
            case .gap:
                lostLineCount += line.lostLineCount
                isStateUncertain = true
            case .effects: recordDifference(place, logged: line.payload, replayed: [])
            case .traffic:
                step.packetAndClientCounts = try? LogJSON.decode(
                    PacketAndClientCounts.self, from: line.payload)
            case .note: step.note = try? LogJSON.decode(String.self, from: line.payload)
            case .end: break
            }
            return step
        }
        return nil
    }

    private mutating func replayEvent(
        _ line: LogLine, _ place: (path: String, line: Int), _ step: inout ReplayedLine
    ) throws(ShowLogFault) {
        guard let event = try? LogJSON.decode(PodiumEvent.self, from: line.payload) else {
            throw .damaged(path: place.path, line: place.line, what: "the event is not one this baton knows")
        }
        step.event = event
        let (logged, loggedPlace) = try readLoggedEffects(line)
        guard podium != nil else { return }
        step.replayedEffects = podium!.process(event, at: time)
        step.replayedEffectsJSON =
            step.replayedEffects.isEmpty ? [] : ShowRecorder.encodeJSON(step.replayedEffects)
        guard !isStateUncertain else { return }
        comparedLineCount += 1
        // If the file ends right after the event, the server ended there and could not write the event's effects.
        if logged == nil, try peekNextLine().map({ _ in reader.isFirstLineOfFile }) ?? true { return }
        if logged ?? [] != step.replayedEffectsJSON {
            recordDifference(loggedPlace ?? place, logged: logged ?? [], replayed: step.replayedEffectsJSON)
        }
    }

    /// Reads the next line if it contains the logged effects of this event.
    /// - Returns: the effects as JSON, and the line's location; both nil if the next line is another one.
    private mutating func readLoggedEffects(
        _ event: LogLine
    ) throws(ShowLogFault) -> ([UInt8]?, (path: String, line: Int)?) {
        guard let next = try peekNextLine(), next.kind == .effects,
            next.sequenceNumber == event.sequenceNumber + 1
        else {
            return (nil, nil)
        }
        _ = try nextLine()
        return (next.payload, lastLineLocation)
    }

    private mutating func compareSnapshot(_ line: LogLine, _ place: (path: String, line: Int))
        throws(ShowLogFault)
    {
        guard let snapshot = try? LogJSON.decode(ShowSnapshot.self, from: line.payload) else {
            throw .damaged(path: place.path, line: place.line, what: "the state is not one this baton knows")
        }
        origin = snapshot.origin ?? origin
        if !isStateUncertain, snapshot.reason == .regular, let podium {
            comparedLineCount += 1
            let replayed = ShowRecorder.encodeJSON(podium.state)
            let logged = ShowRecorder.encodeJSON(snapshot.state)
            if logged != replayed { recordDifference(place, logged: logged, replayed: replayed) }
            if let course = snapshot.course, course != podium.course {
                recordDifference(
                    place, logged: ShowRecorder.encodeJSON(course),
                    replayed: ShowRecorder.encodeJSON(podium.course))
            }
        }
        guard let course = snapshot.course ?? podium?.course else { return }
        podium = Podium(course: course, settings: snapshot.settings, continuing: snapshot.state)
        isStateUncertain = false
    }

    private mutating func recordDifference(
        _ place: (path: String, line: Int), logged: [UInt8], replayed: [UInt8]
    ) {
        guard !isStateUncertain, differences.count < 1_000 else { return }
        differences.append(
            Difference(
                logFilePath: place.path, lineNumber: place.line,
                loggedText: String(decoding: logged, as: UTF8.self),
                replayedText: String(decoding: replayed, as: UTF8.self)))
    }

    private mutating func peekNextLine() throws(ShowLogFault) -> LogLine? {
        if peekedLine == nil { peekedLine = try reader.next() }
        return peekedLine
    }

    private mutating func nextLine() throws(ShowLogFault) -> LogLine? {
        guard let line = try peekNextLine() else { return nil }
        peekedLine = nil
        lastLineLocation = reader.lastLineLocation
        return line
    }
}
