import Alignment
import Basics
import Features
import Sound
import Testing

@testable import Following

@Suite struct PitchSearchTests {
    private static let duet = Duet(measures: 3, seed: 3)
    private static let model = Result { try duet.model() }

    /// A search without a follower around it.
    private final class Searching {
        private let stage = SpectrumAnalyser(
            parameters: FeatureParameters(), sampleRate: Duet.rate, transforms: FFTWSpectrumMaker())
        let search: KeyAndTuningSearch
        /// After each hop whether the offset has changed.
        private(set) var changes: [Bool] = []

        init(_ model: ReferenceModel) {
            let filter = ForwardFilter(references: model.framesByRecording.map(\.unpacked))
            filter.begin(at: FeatureFrameIndex(0))
            search = KeyAndTuningSearch(
                analyser: stage, offsets: SemitoneFiltersByPitchOffset(for: stage), forwardFilter: filter)
            search.makeEveryKeyPossible()
        }

        func hear(_ samples: [Float], isQuiet: Bool = false) {
            samples.withUnsafeBufferPointer { all in
                var rest = all
                while !rest.isEmpty {
                    var taken = 0
                    if stage.addSamples(rest, taken: &taken) != nil {
                        changes.append(search.updatePitch(isQuiet: isQuiet, isDropout: false))
                    }
                    rest = UnsafeBufferPointer(rebasing: rest[taken...])
                }
            }
        }
    }

    @Test func theKeyIsFoundOnceAndSaidOnce() throws {
        let searching = try Searching(Self.model.get())
        searching.hear(Self.duet.samples(semitones: 2))
        #expect(searching.search.transpositionSemitones == 2)
        #expect(abs(searching.search.pitchOffsetCents - 200) < 10)
        #expect(searching.changes.count { $0 } == 1)
    }

    /// An orchestra that tunes, or a piece in another key before: what comes after counts.
    @Test func aKeyIsNeverDecidedForEver() throws {
        let searching = try Searching(Self.model.get())
        searching.hear(Self.duet.samples(semitones: 3))
        #expect(searching.search.transpositionSemitones == 3)
        searching.hear(Self.duet.samples(semitones: -2))
        #expect(searching.search.transpositionSemitones == -2)
    }

    /// Who follows with certainty does not search; who doubts searches again.
    @Test func certaintyPutsTheSearchToRest() throws {
        let searching = try Searching(Self.model.get())
        for _ in 0..<800 { searching.search.noteReportCertainty(isCertain: true) }
        searching.hear(Self.duet.samples(semitones: 2))
        #expect(searching.search.transpositionSemitones == 0)
        for _ in 0..<60 { searching.search.noteReportCertainty(isCertain: false) }
        searching.hear(Self.duet.samples(semitones: 2))
        #expect(searching.search.transpositionSemitones == 2)
    }

    @Test func theTuningIsFound() throws {
        let searching = try Searching(Self.model.get())
        searching.hear(Self.duet.samples(a: 434))
        // 1200 log2(434 / 440)
        #expect(abs(searching.search.tuningCents + 23.8) < 5)
        #expect(searching.search.transpositionSemitones == 0)
    }

    @Test func aQuietRoomSaysNothing() throws {
        let searching = try Searching(Self.model.get())
        searching.hear(Duet.room(seconds: 3), isQuiet: true)
        #expect(searching.search.pitchOffsetCents == 0)
        #expect(!searching.changes.contains(true))
    }

    @Test func aNewBeginningOpensTheQuestionAgain() throws {
        let searching = try Searching(Self.model.get())
        searching.hear(Self.duet.samples(semitones: -1))
        #expect(searching.search.transpositionSemitones == -1)
        searching.search.makeEveryKeyPossible()
        #expect(searching.search.transpositionSemitones == 0)
        searching.hear(Self.duet.samples(semitones: 3))
        #expect(searching.search.transpositionSemitones == 3)
    }
}
