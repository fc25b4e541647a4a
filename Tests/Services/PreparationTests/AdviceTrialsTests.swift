import Foundation
import ReferenceStore
import Repository
import Score
import Testing

@testable import Preparation

/// Advice about a real recording: the minuet of the small concert, whose repeats are numbered as if they were new bars.
@Suite struct AdviceTrialsTests {
    private struct Silence: PreparationObserver {
        func beginStage(_ stage: String) {}
        func showProgress(_ share: Double) {}
        func printLine(_ line: String) {}
    }

    /// The model with its played bars numbered from 1 on.
    private static func minuetWithoutRepeats() throws -> StoredModel {
        let stored = try ModelFolder(path: Repository.root.appending(path: "Models").path)
            .loadModel(EveningStage.minuet)
        func counted(_ measures: MeasureMap) throws -> MeasureMap {
            var marks = measures.marks
            for bar in marks.indices { marks[bar].printed = bar + 1 }
            return try MeasureMap(marks: marks, end: measures.end)
        }
        var model = stored.model
        model.measures = try counted(model.measures)
        var details = stored.referenceDetails
        for index in details.indices { details[index].measures = try counted(details[index].measures) }
        return StoredModel(model: model, referenceDetails: details)
    }

    @Test func theSameNumbersForARepeatOfTheMinuetAreTried() throws {
        let stored = try Self.minuetWithoutRepeats()
        let sounds = stored.referenceDetails.indices.map { index in
            AdviceTrials.Sound(
                index: index,
                path: Repository.root.appending(
                    path: "Recordings/\(EveningStage.minuet)/\(stored.referenceDetails[index].name)/audio.ogg"
                ).path)
        }
        let copies = PieceForecast(model: stored.model).literalCopies
        let tried = try AdviceTrials(
            stored: stored, sounds: sounds, adviceReader: .command, observer: Silence()
        ) { true }
        .perform(passages: copies, after: [])
        // Bars 49–64 sound like bars 33–48 too, but nothing follows them.
        #expect(tried.map(\.step) == [.sameNumbers])
        let (advice, with) = (try #require(tried.first), try #require(tried.first?.with))
        #expect(advice.sentence.hasPrefix("Bars 17–32 sound like bars 1–16."))
        #expect(with < advice.without && advice.without < 2)
        // The right bar is shown sooner with the same numbers, by less than a second: not worth a person's work.
        #expect(!advice.helps)
    }
}
