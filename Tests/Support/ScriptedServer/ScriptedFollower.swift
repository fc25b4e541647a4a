import Basics
import Following
import Performance
import Score

/// A follower that hears nothing and reports what a script says.
///
/// Obeys orders at once, as if it found the music there.
final class ScriptedFollower: LiveAudioFollower {
    let programme: ConcertProgramme
    let sampleRate = SampleRate(hertz: 8_000)
    private let script: Script
    private var samples = 0
    /// 20 ms.
    static let hopSamples = 160

    /// For each piece of an earlier programme, its index in this one.
    private var newIndices: [Int: Int] = [:]

    init(_ programme: ConcertProgramme, script: Script) {
        self.programme = programme
        self.script = script
    }

    /// Makes the follower of a changed programme, which goes on with the same script.
    /// - Precondition: the server began with a scripted follower.
    convenience init(_ programme: ConcertProgramme, keeping kept: [Int?], of previous: any LiveAudioFollower)
    {
        guard let previous = previous as? ScriptedFollower else {
            preconditionFailure("a scripted server has scripted followers")
        }
        self.init(programme, script: previous.script)
        samples = previous.samples
        for (new, old) in kept.enumerated() where old != nil { newIndices[old ?? 0] = new }
    }

    func continuePerformance() {
        script.change { $0.piece = newIndices[$0.piece] ?? 0 }
    }

    var heardSamples: SampleTime { SampleTime(samples) }
    var samplesToHopEnd: Int { Self.hopSamples - samples % Self.hopSamples }

    /// A place that nobody knows is where the music is.
    func begin(at place: ProgrammePosition) {
        let measures = programme.pieceModels[place.pieceIndex].measures
        script.change { state in
            let isPlayedAlready = place.position == nil && state.piece == place.pieceIndex
            state.follow(
                piece: place.pieceIndex,
                at: isPlayedAlready
                    ? state.seconds : place.position.map { measures.time(of: $0).seconds } ?? 0)
        }
    }

    func takeOperatorPosition(piece: Int, at place: ReferenceTime) {
        script.change { $0.follow(piece: piece, at: place.seconds) }
    }

    func hearSamples(_ block: UnsafeBufferPointer<Float>, report: (ConcertReport) -> Void) {
        var left = block.count
        while left > 0 {
            let count = min(left, samplesToHopEnd)
            samples += count
            left -= count
            if samples % Self.hopSamples == 0 { report(endHop()) }
        }
    }

    private func endHop() -> ConcertReport {
        let measures = programme.pieceModels[script.now.piece].measures
        let state = script.play(Double(Self.hopSamples) / sampleRate.hertz, until: measures.end.seconds)
        let time = ReferenceTime(seconds: state.keptSeconds ?? state.seconds)
        let position = measures.position(at: time)
        let isOver = state.judgement == .following && state.seconds >= measures.end.seconds
        let judgement = isOver ? .finished : state.judgement
        var candidates = LikelyMeasures()
        for candidate in state.candidates where measures.marks.indices.contains(candidate.played) {
            let mark = measures.marks[candidate.played]
            candidates.append(
                LikelyMeasure(
                    referenceTime: mark.onset, position: ScorePosition(played: candidate.played, fraction: 0),
                    printedMeasure: mark.printed, probability: candidate.probability))
        }
        var report = PositionReport(
            liveTime: LiveTime(seconds: SampleTime(samples).seconds(at: sampleRate)), referenceTime: time,
            position: position,
            printedMeasure: measures.marks[position.played].printed, tempo: TempoRatio(state.speed),
            confidence: state.confidence ?? Self.confidence(judgement), state: judgement,
            likelyMeasures: judgement == .lost ? candidates : LikelyMeasures())
        if judgement == .following, let printed = report.printedMeasure, !candidates.isEmpty {
            let others = candidates.reduce(0) { $0 + $1.probability }
            report.copies.append(
                LikelyMeasure(
                    referenceTime: time, position: position, printedMeasure: printed,
                    probability: max(1 - others, 0)))
            for copy in candidates { report.copies.append(copy) }
            report.confidence *= max(1 - others, 0)
        }
        return ConcertReport(pieceIndex: state.piece, positionReport: report, isSilent: state.isSilent)
    }

    private static func confidence(_ judgement: FollowerState) -> Double {
        switch judgement {
        case .following: 0.95
        case .coasting: 0.5
        case .lost: 0.17
        case .waiting: 0.4
        case .finished: 0.9
        }
    }
}
