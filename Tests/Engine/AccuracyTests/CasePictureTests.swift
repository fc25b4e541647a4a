import Chance
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import Accuracy

@Suite struct CasePictureTests {
    private func noisy(measures: Int) throws -> CasePicture {
        let truth = try Made.truth(Array(1...measures))
        var random = SplitMix(seed: 1)
        let trace = FollowTrace(
            points: (0..<Int(truth.end * 50)).map {
                let time = Double($0) / 50
                return .init(
                    liveSeconds: time,
                    measure: truth.position(at: time) + .random(in: -3...3, using: &random),
                    tempoRatio: .random(in: 0.5...2, using: &random),
                    confidence: .random(in: 0...1, using: &random),
                    state: FollowTrace.State.allCases.randomElement(using: &random) ?? .lost)
            })
        return CasePicture(
            title: "A & B <\"quoted\">", truth: truth, trace: trace,
            disruption: Disruption(kind: "noise", start: 3, end: 5))
    }

    @Test func thePictureIsWellFormed() throws {
        let parser = XMLParser(data: Data(try noisy(measures: 20).svg().utf8))
        #expect(parser.parse())
        #expect(parser.parserError == nil)
    }

    @Test func noiseOfAnyLengthStaysSmall() throws {
        #expect(try noisy(measures: 400).svg().utf8.count < 150_000)
    }

    @Test func theSameCaseIsTheSameBytes() throws {
        #expect(try noisy(measures: 30).svg() == noisy(measures: 30).svg())
    }

    @Test func nothingIsFetchedAndNothingRuns() throws {
        let svg = try noisy(measures: 5).svg()
        #expect(!svg.contains("<script") && !svg.contains("href") && !svg.contains("url("))
    }

    @Test func aSilentFollowerIsDrawnToo() throws {
        let truth = try Made.truth([1, 2, 3])
        #expect(
            CasePicture(title: "silent", truth: truth, trace: FollowTrace()).svg().contains(
                "onset missed (2)"))
    }

    /// The noisy case over a reference of the same measures, with thoughts.
    private func thoughtful(
        measures: Int, columns: Int, rows: Int, _ thought: (Int, Int) -> Float
    ) throws -> CasePicture {
        var picture = try noisy(measures: measures)
        let reference = try Made.map(Array(1...measures))
        picture.reference = reference
        for index in picture.trace.points.indices {
            let seconds = picture.trace.points[index].liveSeconds
            picture.trace.points[index].referenceSeconds = min(seconds, reference.end.seconds)
        }
        picture.thoughts = ThoughtMap(
            firstSeconds: 0, stepSeconds: picture.truth.end / Double(columns),
            referenceSeconds: reference.end.seconds,
            columns: (0..<columns).map { column in (0..<rows).map { thought(column, $0) } })
        return picture
    }

    private static let thoughtTitle = "Where the follower thought the music was"

    @Test func thoughtsAreLaidUnderThePosition() throws {
        var picture = try thoughtful(measures: 5, columns: 22, rows: 10) { $1 == $0 / 3 ? 0.9 : 0.01 }
        let svg = picture.svg()
        #expect(svg.contains(Self.thoughtTitle))
        // A ridge above one half, a haze of one in a hundred, nothing between.
        #expect(svg.contains("\"heat h0\"") && svg.contains("\"heat h5\""))
        picture.thoughts = nil
        #expect(!picture.svg().contains(Self.thoughtTitle))
        #expect(!picture.svg().contains("\"heat"))
    }

    @Test func thoughtsWithoutAReferenceAreLeftOut() throws {
        var picture = try thoughtful(measures: 5, columns: 22, rows: 10) { _, _ in 0.1 }
        picture.reference = nil
        #expect(!picture.svg().contains(Self.thoughtTitle))
    }

    @Test func hazeStaysSmall() throws {
        var random = SplitMix(seed: 3)
        let picture = try thoughtful(
            measures: 400, columns: ThoughtGathering.mostColumns, rows: ThoughtGathering.mostRows
        ) { _, _ in [0, 0.005, 0.02, 0.05, 0.2, 0.3, 0.6].randomElement(using: &random) ?? 0 }
        #expect(picture.svg().utf8.count < 400_000)
    }

    @Test func aPictureWithThoughtsIsWellFormedAndFetchesNothing() throws {
        let svg = try thoughtful(measures: 20, columns: 90, rows: 50) { $1 == $0 / 2 ? 0.9 : 0.002 }.svg()
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        #expect(!svg.contains("<script") && !svg.contains("href") && !svg.contains("url("))
    }

    @Test func aLeapIsCountedAndASlowStepIsNone() throws {
        let truth = try Made.truth(Array(1...20))
        let reference = try Made.map(Array(1...20))
        var trace = Made.trace(truth) { _, position in position }
        for index in trace.points.indices {
            let seconds = trace.points[index].liveSeconds
            // Ten seconds ahead from second 20 on, and back again at 30; nearly two from 35 on.
            let ahead: Double = seconds < 20 ? 0 : seconds < 30 ? 10 : seconds < 35 ? 0 : 1.9
            trace.points[index].referenceSeconds = seconds + ahead
        }
        let picture = CasePicture(
            title: "leaps", truth: truth, reference: reference, trace: trace,
            thoughts: ThoughtMap(firstSeconds: 0, stepSeconds: 1, referenceSeconds: 41, columns: [[1]]))
        #expect(picture.svg().contains("leap (2)"))
    }

    @Test func aStaircaseKeepsItsCorners() {
        var line = PlotLine()
        line.add([.init(x: 0, y: 0), .init(x: 10, y: 0), .init(x: 10, y: 5), .init(x: 20, y: 5)])
        #expect(line.path == "M0 0l100 0 0 50 100 0")
    }

    @Test func aStraightLineNeedsTwoPoints() {
        var line = PlotLine()
        line.add((0...1_000).map { .init(x: Double($0) / 10, y: Double($0) / 20) })
        #expect(line.path == "M0 0l1000 500")
    }

    @Test func logarithmsAreExactEnough() {
        for value in [0.001, 0.3, 1, 1.9999, 2, 10, 601] {
            #expect(abs(PlotScale.log2(value) - Foundation.log2(value)) < 1e-9)
        }
    }
}
