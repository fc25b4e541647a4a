import Basics
import Following

/// The follower of an empty programme, or of one whose models are not ready to follow yet: hears no music and reports
/// that it waits.
package final class WaitingFollower: LiveAudioFollower {
    package let programme: ConcertProgramme
    package let sampleRate: SampleRate
    private let samplesPerHop: Int
    private var sampleCount = 0

    /// - Parameter title: the title of the empty programme.
    package convenience init(title: String, sampleRate: SampleRate) {
        self.init(programme: .empty(title: title), sampleRate: sampleRate)
    }

    package init(programme: ConcertProgramme, sampleRate: SampleRate) {
        self.programme = programme
        self.sampleRate = sampleRate
        samplesPerHop = max(Int((sampleRate.hertz / 50).rounded()), 1)
    }

    package var heardSamples: SampleTime { SampleTime(sampleCount) }
    package var samplesToHopEnd: Int { samplesPerHop - sampleCount % samplesPerHop }
    package func begin(at place: ProgrammePosition) {}
    package func takeOperatorPosition(piece: Int, at place: ReferenceTime) {}

    package func hearSamples(_ block: UnsafeBufferPointer<Float>, report: (ConcertReport) -> Void) {
        var rest = block.count
        while rest > 0 {
            let count = min(rest, samplesToHopEnd)
            sampleCount += count
            rest -= count
            guard sampleCount % samplesPerHop == 0 else { continue }
            report(
                ConcertReport(
                    pieceIndex: 0,
                    positionReport: PositionReport(
                        liveTime: LiveTime(seconds: heardSamples.seconds(at: sampleRate)), referenceTime: nil,
                        position: nil, printedMeasure: nil, tempo: TempoRatio(1), confidence: 0,
                        state: .waiting)))
        }
    }
}
