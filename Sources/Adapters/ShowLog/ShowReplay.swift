import Podium

/// Replays the events of a log with a new Podium and compares the resulting effects with the logged ones, byte for
/// byte.
///
/// Differences do not end the replay: they are collected, each with file and line. After lost lines nothing is
/// compared until the next snapshot. Memory for one line, however long the show.
public struct ShowReplay {
    /// One replayed line of the show.
    public struct Step: Sendable {
        public var time: ShowTime
        /// The time of day, if the line has it.
        public var wall: String?
        /// Nil for lines that are not events.
        public var event: PodiumEvent?
        public var effects: [PodiumEffect]
        /// The replayed effects as JSON, equal to the log's unless there is a difference; empty if there are none.
        public var effectsJSON: [UInt8]
        public var count: TrafficCount?
        public var note: String?
        public var isEnd: Bool
    }

    public struct Difference: Equatable, Sendable {
        public var path: String
        public var line: Int
        /// The logged text; empty if there is none.
        public var logged: String
        /// The text that the replay produced.
        public var replayed: String

        public var sentence: String {
            "\(path), line \(line): the log has \(Self.short(logged)), but its events lead to "
                + "\(Self.short(replayed)); the log was changed, or another version of baton wrote it."
        }

        private static func short(_ text: String) -> String {
            text.isEmpty ? "nothing" : text.utf8.count > 200 ? text.prefix(200) + "…" : text
        }
    }

    /// The state after the last step; nil before the first snapshot.
    public private(set) var podium: Podium?
    /// The show time of the last step.
    public private(set) var time = ShowTime.zero
    public private(set) var differences: [Difference] = []
    /// Lines compared so far, effects and states.
    public private(set) var comparedLines = 0
    /// Number of lines that the log itself reports as lost.
    public private(set) var lostLines: UInt64 = 0

    private var reader: ShowLogReader
    private var ahead: LogLine?
    private var aheadPlace = (path: "", line: 0)
    /// True while the replayed state may differ for a known reason: lines were lost, or there was no snapshot yet.
    private var isStateUncertain = true

    /// - Throws: ``ShowLogFault`` if the folder cannot be read.
    public init(show: String, whenDamaged: ShowLogReader.DamageHandling = .refuse) throws(ShowLogFault) {
        reader = try ShowLogReader(show: show, whenDamaged: whenDamaged)
    }

    public var header: LogHeader? { reader.header }
    public var damage: [ShowLogFault] { reader.damage }

    /// Replays the next line; nil at the end.
    /// - Throws: ``ShowLogFault`` if the log cannot be read further.
    public mutating func next() throws(ShowLogFault) -> Step? {
        while let line = try nextLine() {
            let place = aheadPlace
            time = ShowTime(milliseconds: line.milliseconds)
            var step = Step(
                time: time, wall: line.wall, effects: [], effectsJSON: [], isEnd: line.kind == .end)
            switch line.kind {
            case .event: try takeEvent(line, place, &step)
            case .snapshot: try takeSnapshot(line, place)
            case .gap:
                lostLines += line.lostLines
                isStateUncertain = true
            case .effects: differ(place, logged: line.payload, replayed: [])
            case .count: step.count = try? LogJSON.value(TrafficCount.self, from: line.payload)
            case .note: step.note = try? LogJSON.value(String.self, from: line.payload)
            case .end: break
            }
            return step
        }
        return nil
    }

    private mutating func takeEvent(
        _ line: LogLine, _ place: (path: String, line: Int), _ step: inout Step
    ) throws(ShowLogFault) {
        guard let event = try? LogJSON.value(PodiumEvent.self, from: line.payload) else {
            throw .damaged(path: place.path, line: place.line, what: "the event is not one this baton knows")
        }
        step.event = event
        let (logged, loggedPlace) = try effectsBehind(line)
        guard podium != nil else { return }
        step.effects = podium!.take(event, at: time)
        step.effectsJSON = step.effects.isEmpty ? [] : ShowRecorder.json(step.effects)
        guard !isStateUncertain else { return }
        comparedLines += 1
        // If a file ends right after the event, the server ended there and could not write its effects.
        if logged == nil, try peek().map({ _ in reader.beginsFile }) ?? true { return }
        if logged ?? [] != step.effectsJSON {
            differ(loggedPlace ?? place, logged: logged ?? [], replayed: step.effectsJSON)
        }
    }

    /// Takes the next line if it contains the effects of this event.
    private mutating func effectsBehind(
        _ event: LogLine
    ) throws(ShowLogFault) -> ([UInt8]?, (path: String, line: Int)?) {
        guard let next = try peek(), next.kind == .effects, next.sequence == event.sequence + 1 else {
            return (nil, nil)
        }
        _ = try nextLine()
        return (next.payload, aheadPlace)
    }

    private mutating func takeSnapshot(_ line: LogLine, _ place: (path: String, line: Int))
        throws(ShowLogFault)
    {
        guard let snapshot = try? LogJSON.value(ShowSnapshot.self, from: line.payload) else {
            throw .damaged(path: place.path, line: place.line, what: "the state is not one this baton knows")
        }
        if !isStateUncertain, snapshot.reason == .regular, let podium {
            comparedLines += 1
            let replayed = ShowRecorder.json(podium.state)
            let logged = ShowRecorder.json(snapshot.state)
            if logged != replayed { differ(place, logged: logged, replayed: replayed) }
            if let course = snapshot.course, course != podium.course {
                differ(place, logged: ShowRecorder.json(course), replayed: ShowRecorder.json(podium.course))
            }
        }
        guard let course = snapshot.course ?? podium?.course else { return }
        podium = Podium(course: course, settings: snapshot.settings, continuing: snapshot.state)
        isStateUncertain = false
    }

    private mutating func differ(
        _ place: (path: String, line: Int), logged: [UInt8], replayed: [UInt8]
    ) {
        guard !isStateUncertain, differences.count < 1_000 else { return }
        differences.append(
            Difference(
                path: place.path, line: place.line, logged: String(decoding: logged, as: UTF8.self),
                replayed: String(decoding: replayed, as: UTF8.self)))
    }

    private mutating func peek() throws(ShowLogFault) -> LogLine? {
        if ahead == nil { ahead = try reader.next() }
        return ahead
    }

    private mutating func nextLine() throws(ShowLogFault) -> LogLine? {
        guard let line = try peek() else { return nil }
        ahead = nil
        aheadPlace = reader.place
        return line
    }
}
