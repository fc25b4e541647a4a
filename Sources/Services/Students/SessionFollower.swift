import Basics
import Following
import Score
import Sound

/// Follows one piece for one student, with the engine and the model with which a show is followed. Belongs to one
/// thread at a time.
final class SessionFollower {
    let concert: ConcertFollower
    private(set) var newest: PositionReport?
    /// The times that the position went to another place than the next one: jumps, and beginning again.
    private(set) var jumpCount = 0
    private var buffer: [Float] = []

    /// - Parameter programme: one piece, ready to follow.
    init(programme: ConcertProgramme, rate: SampleRate) {
        concert = ConcertFollower(programme: programme, sampleRate: rate, transforms: FFTWSpectrumMaker())
    }

    var measures: MeasureMap { concert.programme.pieceModels[0].measures }

    /// Waits for the music at a played bar.
    func begin(at played: Int) {
        concert.begin(
            at: ProgrammePosition(pieceIndex: 0, position: ScorePosition(played: played, fraction: 0)))
    }

    /// Hears the next sound.
    /// - Parameter report: called with each report.
    func hear(_ piece: BlockSequencer.Piece, report: (PositionReport) -> Void = { _ in }) {
        switch piece {
        case .samples(let samples):
            buffer.removeAll(keepingCapacity: true)
            // Exactly the numbers that libsndfile gives for a file of 16-bit samples.
            buffer.append(contentsOf: samples.lazy.map { Float($0) / 32_768 })
            hear(buffer[...], report)
        case .silence(let count):
            let silence = [Float](repeating: 0, count: min(count, 4_096))
            var rest = count
            while rest > 0 {
                hear(silence.prefix(rest), report)
                rest -= min(rest, silence.count)
            }
        }
    }

    private func hear(_ samples: ArraySlice<Float>, _ report: (PositionReport) -> Void) {
        samples.withUnsafeBufferPointer { samples in
            concert.hearSamples(samples) { said in
                note(said.positionReport)
                report(said.positionReport)
            }
        }
    }

    private func note(_ report: PositionReport) {
        if let before = newest?.referenceTime, let now = report.referenceTime,
            now.seconds < before.seconds - Self.jumpSeconds || now.seconds > before.seconds + Self.jumpSeconds
        {
            jumpCount += 1
        }
        newest = report
    }

    /// The seconds of music between two reports, a fiftieth of a second apart, that are no playing on.
    private static let jumpSeconds = 1.0
}
