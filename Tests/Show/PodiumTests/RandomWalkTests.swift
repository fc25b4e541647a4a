import Basics
import Following
import Podium
import Score
import Testing

/// Random events of a show in which the music mostly plays on.
private struct Chance {
    var random: SeededRandomGenerator
    var music = (piece: 0, played: 0)
    let courses: [ShowProgramme]

    mutating func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func event(_ podium: Podium) -> PodiumEvent {
        switch draw(0...99) {
        case 0..<55: .followerReport(word(podium))
        case 55..<60: .tick
        case 60: draw(0...9) == 0 ? .programmeChanged(courses[draw(0...courses.count - 1)]) : .tick
        case 61:
            draw(0...9) == 0 ? .failoverTermChanged(podium.state.epoch.term &+ UInt32(draw(0...2))) : .tick
        case 62: .fault(TechnicalFault(id: "\(draw(0...80))", sentence: "Something \(draw(0...2))."))
        case 63: .faultEnded("\(draw(0...80))")
        case 64: draw(0...4) == 0 ? .restarted : .tick
        case 65: .setPreShowCheck(draw(0...1) == 0)
        default: .command(command(podium), by: person(), epoch: epoch(podium))
        }
    }

    private mutating func word(_ podium: Podium) -> FollowerReport {
        var jumped = false
        let count = podium.course.pieces[music.piece].playedMeasureCount
        switch draw(0...99) {
        case 0..<3:
            music.played = draw(0...count - 1)
            jumped = true
        case 3..<6:
            music = (draw(0...1), draw(0...7))
            jumped = true
        case 6: (music, jumped) = ((draw(0...1), draw(0...7)), false)
        case 7..<40: music.played = min(music.played + 1, count - 1)
        case 40..<43 where music.piece == 0: music = (1, 0)
        case 43..<46: music.played = max(music.played - draw(1...2), 0)
        default: break
        }
        if draw(0...9) == 0 { music = (podium.state.piece, podium.state.position.played) }
        let states: [FollowerState] = [.lost, .coasting, .waiting, .finished]
        let state = draw(0...9) < 8 ? FollowerState.following : states[draw(0...3)]
        let played = min(music.played, podium.course.pieces[music.piece].playedMeasureCount - 1)
        return FollowerReport(
            piece: draw(0...200) == 0 ? 7 : music.piece,
            position: draw(0...50) == 0
                ? nil : ScorePosition(played: played, fraction: Double(draw(0...100)) / 100),
            printed: 1, tempo: Double(draw(0...20)) / 8, confidence: Double(draw(5...10)) / 10, state: state,
            jumped: jumped,
            candidates: (0..<draw(0...3)).map { _ in
                CandidateMeasure(played: draw(0...7), printed: 1, probability: 0.2)
            },
            isSilent: draw(0...40) == 0,
            order: draw(0...30) == 0 ? podium.state.order &- 1 : podium.state.order)
    }

    private mutating func person() -> CommandSender {
        [anna, anna, anna, bert, conductor, presenter, CommandSender(name: "osc", role: .showControl)][
            draw(0...6)]
    }

    private mutating func epoch(_ podium: Podium) -> BatonEpoch? {
        switch draw(0...9) {
        case 0:
            BatonEpoch(term: podium.state.epoch.term, handoverCount: podium.state.epoch.handoverCount &- 1)
        case 1..<5: podium.state.epoch
        default: nil
        }
    }

    private mutating func command(_ podium: Podium) -> PodiumCommand {
        let isOn = draw(0...2) == 0
        let place: MeasureReference = [
            .playedMeasure(draw(0...17)), .printedMeasure(draw(0...13), time: nil),
            .section(["A", "B", "C"][draw(0...2)]),
        ][draw(0...2)]
        switch draw(0...30) {
        case 0...1: return .takeBaton
        case 2...4: return .releaseBaton
        case 5: return .holdPosition
        case 6: return .endHold
        case 7...9: return .tapMeasureBeginning
        case 10...11: return .nudgePosition([-2, -1, 1, 1, 3][draw(0...4)])
        case 12: return .goTo(place)
        case 13: return .beginMeasureNow(isOn ? place : nil)
        case 14:
            // A plain measure would read as a candidate's number.
            if case .printedMeasure(let measure, nil) = place {
                return .chooseCandidate(.place(.printedMeasure(measure, time: 1)))
            }
            return .chooseCandidate(isOn ? .place(place) : .number(draw(1...3)))
        case 15...16: return .fireStandbyCue
        case 17: return .chooseStandbyCue([.next, .previous, .none, .cue("a"), .cue("e")][draw(0...4)])
        case 18: return draw(0...2) == 0 ? .panic : .endPanic
        case 19: return .endPanic
        case 20: return .setShowLock(isOn)
        case 21: return .setBlackout(isOn)
        case 22: return .setAudienceFreeze(isOn)
        case 23: return isOn ? .pauseAll : .resumeAll
        case 24: return .resumeAll
        case 25: return .beginPiece(draw(0...2), [.beginning, .unknownPlace, .place(place)][draw(0...2)])
        case 26: return draw(0...2) == 0 ? .nextPiece : .beginPiece(0, .beginning)
        case 27: return .setIntermission(isOn && draw(0...2) == 0)
        case 28: return .setAutoAdvance(!isOn)
        case 29: return .setRehearsal(isOn && draw(0...2) == 0)
        default: return try! PodiumCommand(words: isOn ? ["withdraw"] : ["message", "T\(draw(0...3))", "b"])
        }
    }
}

@Suite struct RandomWalkTests {
    private static let cues = [
        cue("a", at: 0), cue("b", at: 2, early: 700), cue("c", at: 4, kind: .message, payload: "x|y"),
        cue("d", at: 4, auto: false), cue("e", at: 9, early: 5_000), cue("f", at: 9), cue("g", at: 15),
    ]
    private static let courses = [
        evening(cues, second: [cue("z", at: 0), cue("y", at: 3, early: 2_000)]),
        evening(Array(cues.dropFirst(3))),
        try! ShowProgramme(title: "Turned", pieces: [secondPiece(), firstPiece(cues)]),
    ]

    /// The walk's own knowledge of the pass and the jumps.
    private struct Watcher {
        var fired: [String] = []
        var hasJumped = false
        var shown: AudiencePosition?

        mutating func check(
            _ event: PodiumEvent, _ effects: [PodiumEffect], before: PodiumState, after: Podium,
            at now: ShowTime
        ) {
            let state = after.state
            #expect(state.epoch >= before.epoch)
            if state.holder != before.holder { #expect(state.epoch > before.epoch) }
            #expect(!holders(effects).isEmpty == (state.epoch != before.epoch || event == .restarted))
            if before.panic != .none && state.panic != .none { #expect(PodiumTests.fired(effects).isEmpty) }
            if refusal(effects) != nil { #expect(state == before && effects.count == 1) }
            let piece = after.course.pieces[state.piece]
            #expect((0..<piece.playedMeasureCount).contains(state.position.played))
            #expect(state.standby.map { piece.cues[$0] != nil } ?? true)
            #expect(state.faults.count <= 64 && state.candidates.count <= 3)
            if event == .tick { #expect(after.nextTickDue.map { $0 > now } ?? true) }
            watchPasses(event, before: before, state)
            watchFiring(effects)
            watchAudience(event, effects, before: before, state)
        }

        private mutating func watchPasses(_ event: PodiumEvent, before: PodiumState, _ state: PodiumState) {
            var isNew = state.piece != before.piece || state.isRehearsal != before.isRehearsal
            if case .command(.beginPiece, _, _) = event { isNew = true }
            if case .programmeChanged = event { isNew = true }
            if isNew { fired = [] }
        }

        private mutating func watchFiring(_ effects: [PodiumEffect]) {
            for case .fireCue(let cue, let timing) in effects {
                if timing.isAutomatic {
                    #expect(cue.isAutomatic)
                    #expect(!fired.contains(cue.id), "\(cue.id) fires twice")
                }
                fired.append(cue.id)
            }
        }

        private mutating func watchAudience(
            _ event: PodiumEvent, _ effects: [PodiumEffect], before: PodiumState, _ state: PodiumState
        ) {
            if case .followerReport(let word) = event {
                if word.jumped && word.order == before.order { hasJumped = true }
            }
            for effect in effects {
                switch effect {
                case .showPosition(let new):
                    if let old = shown {
                        if event != .restarted { #expect(!new.isSamePlace(as: old)) }
                        let goesBack = (new.piece, new.played) < (old.piece, old.played)
                        #expect(!goesBack || hasJumped || !event.isSaidByTheFollower || !before.isPlaceKnown)
                    }
                    shown = new
                    if event.isSaidByTheFollower { hasJumped = false }
                case .endLivePosition:
                    #expect(shown != nil)
                    shown = nil
                default: break
                }
            }
            // A course that moves pieces renumbers what is shown.
            if case .programmeChanged = event { shown = state.shown }
            #expect(shown == state.shown)
            if state.isFrozen || state.panic == .safe {
                #expect(shown == before.shown || before.shown == nil || shown == nil || event.isCourse)
            }
            if [.black, .live, .frozen].contains(state.view) == false { #expect(shown == nil) }
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5])
    func aRandomEveningKeepsEveryPromise(_ seed: UInt64) throws {
        var chance = Chance(random: SeededRandomGenerator(seed: seed), courses: Self.courses)
        var podium = Podium(course: Self.courses[0])
        var replay = podium
        var watcher = Watcher()
        var kinds: Set<String> = []
        var now = ShowTime.zero
        for step in 0..<20_000 {
            now = now.advanced(
                byMilliseconds: Int64([0, 20, 100, 300, 1_000, 2_000, 9_000][chance.draw(0...6)]))
            let event = chance.event(podium)
            let before = podium.state
            let effects = podium.process(event, at: now)
            watcher.check(event, effects, before: before, after: podium, at: now)
            #expect(replay.process(event, at: now) == effects)
            kinds.formUnion(effects.map { String("\($0)".prefix { $0 != "(" }) })
            if step < 400 || step % 50 == 0 {
                // It goes on from what was written down.
                let text = json(podium.state)
                let state = try back(text, as: PodiumState.self)
                #expect(state == podium.state)
                #expect(json(state) == text)
                podium = Podium(course: podium.course, continuing: state)
                #expect(podium.state == state)
                #expect(try back(json(effects), as: [PodiumEffect].self) == effects)
                #expect(try back(json(event), as: PodiumEvent.self) == event)
            }
        }
        #expect(podium.state == replay.state)
        // It went everywhere.
        #expect(kinds.count == 16, "\(kinds)")
    }
}

extension PodiumEvent {
    fileprivate var isCourse: Bool { if case .programmeChanged = self { true } else { false } }

    fileprivate var isSaidByTheFollower: Bool {
        if case .followerReport = self { true } else { self == .tick }
    }
}
