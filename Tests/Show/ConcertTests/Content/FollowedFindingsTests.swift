import Basics
import Concert
import Score
import Testing

@Suite struct FollowedFindingsTests {
    private func followed(_ numbers: [Int]) -> [PlayedMeasure] {
        numbers.enumerated().map {
            PlayedMeasure(printed: $0.element, onset: ReferenceTime(seconds: Double($0.offset) * 2))
        }
    }

    private func found(_ numbers: [Int]) throws -> [ContentFinding] {
        ContentCheck.followedMeasureFindings(try goodPiece(), at: 2, followed: followed(numbers))
    }

    @Test func theSameBarsInTheSameOrderFitWhateverTheirTimes() throws {
        #expect(try found([1, 2, 3, 4, 3, 4]).isEmpty)
        #expect(try found([]).isEmpty, "nobody follows the piece")
    }

    @Test func barsThatTheMapDoesNotHaveAreAnErrorAndNamed() throws {
        let finding = try #require(try found([0, 1, 2, 3, 4, 3, 4, 5, 6, 7, 9]).first)
        #expect(finding.rule == .otherMeasures)
        #expect(finding.severity == .error)
        #expect(finding.place == FindingLocation(piece: 2))
        #expect(
            finding.sentence
                == "The map of “Weber, Oberon: Overture” does not fit the bars that are followed: bars 0, 5–7, 9 are "
                + "missing in it, and listeners keep the slide before; give the piece the measures of its recording again."
        )
        #expect(try #require(try found([1, 2, 3, 4, 5]).first).sentence.contains("bar 5 is missing"))
    }

    @Test func otherRepeatsAreAWarning() throws {
        for numbers in [[1, 2, 3, 4], [1, 2, 1, 2, 3, 4]] {
            #expect(try found(numbers).map(\.severity) == [.warning])
        }
    }
}
