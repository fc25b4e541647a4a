import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import Accuracy

@Suite struct CasePictureTests {
    private func noisy(measures: Int) throws -> CasePicture {
        let truth = try Made.truth(Array(1...measures))
        var random = SplitMix(state: 1)
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

    @Test func thoughtsGetAPanel() throws {
        var picture = try noisy(measures: 5)
        let plain = picture.svg()
        picture.thoughts = ThoughtMap(
            firstSeconds: 0, stepSeconds: 0.5, measures: 1...6,
            rows: (0..<22).map { step in (0..<10).map { $0 == step / 3 ? 0.9 : 0.01 } })
        #expect(picture.svg().contains("What the follower thought"))
        #expect(!plain.contains("What the follower thought"))
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
