import Basics
import Foundation
import Podium
import Repository
import Score
import Testing

@testable import Rehearsal

@Suite struct PartLayoutTests {
    private let size = PageSize(width: 595, height: 842)

    private func part(_ layout: PartLayout?, places: [MeasureBox] = [], pages: Int = 4) throws -> Part {
        try Part(
            name: "Horn", pages: Array(repeating: size, count: pages), places: places, layout: layout)
    }

    private func layout(_ pages: [Int], count: Int = 4) throws -> PartLayout {
        try PartLayout(pages: pages.map { LaidPage(page: $0) }, count: count)
    }

    /// Ten measures on each page of the file, in two systems of five.
    private func places(pages: [Int] = [0, 1, 2, 3]) throws -> [MeasureBox] {
        try pages.enumerated().flatMap { at, page in
            try (0..<10).map { index in
                let left = 0.1 + 0.16 * Double(index % 5)
                let top = index < 5 ? 0.1 : 0.5
                return MeasureBox(
                    page: page, first: 10 * at + index + 1, last: 10 * at + index + 1,
                    box: try PageRectangle(left: left, top: top, right: left + 0.16, bottom: top + 0.2))
            }
        }
    }

    @Test func layoutsThatCannotBeAreRefusedWithASentence() throws {
        for pages in [[], [0, 0], [-1], [204], [Int.max], [Int.min]] {
            #expect(throws: RehearsalFault.self, "\(pages)") { try layout(pages) }
        }
        #expect(throws: RehearsalFault.turnOutOfRange(4)) {
            try PartLayout(pages: [LaidPage(page: 0, quarterTurns: 4)], count: 4)
        }
        for tilt in [10.1, -11, .nan, .infinity] {
            #expect(throws: RehearsalFault.self) {
                try PartLayout(pages: [LaidPage(page: 0, tiltDegrees: tilt)], count: 4)
            }
        }
        // A layout that was decoded is checked against the part's own pages.
        let far = try JSONDecoder().decode(PartLayout.self, from: Data(#"{"pages":[{"page":900}]}"#.utf8))
        #expect(throws: RehearsalFault.noSuchLaidPage(900, pages: 4)) { try part(far) }
        #expect(RehearsalFault.noSuchLaidPage(.max, pages: 4).sentence.contains("pages"))
    }

    @Test func aLayoutSurvivesBeingWrittenAndRead() throws {
        var random = SeededRandomGenerator(seed: 5)
        for _ in 0..<50 {
            let made = try Self.randomPart(&random)
            let read = try JSONDecoder().decode(Part.self, from: JSONEncoder().encode(made))
            #expect(read == made)
        }
        // Parts of before have none, and are written as before.
        let plain = try part(nil)
        #expect(!String(decoding: try JSONEncoder().encode(plain), as: UTF8.self).contains("layout"))
    }

    @Test func everyPointComesBackFromTheUprightPage() {
        var random = SeededRandomGenerator(seed: 6)
        for _ in 0..<2_000 {
            let form = PageForm(
                size: PageSize(
                    width: .random(in: 1...3_000, using: &random),
                    height: .random(in: 1...3_000, using: &random)),
                quarterTurns: .random(in: 0...3, using: &random),
                tiltDegrees: .random(in: -10...10, using: &random))
            let (x, y) = (Double.random(in: 0...1, using: &random), Double.random(in: 0...1, using: &random))
            let there = form.upright(x: x, y: y)
            let back = form.filed(x: there.x, y: there.y)
            #expect(abs(back.x - x) < 1e-9 && abs(back.y - y) < 1e-9)
        }
    }

    @Test func formsAndCutsAreThoseOfTheVectors() throws {
        struct Vectors: Decodable {
            struct Form: Decodable {
                var size: [Double]
                var turns: Int
                var tilt: Double
                var points: [[Double]]
            }
            struct Cut: Decodable {
                var name: String
                var boxes: [[Double]]
                var systems: [[Double]]
                var cut: Double?
            }
            var forms: [Form]
            var cuts: [Cut]
        }
        let file = Repository.root.appending(path: "Tests/Vectors/page-forms.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        for each in vectors.forms {
            let form = PageForm(
                size: PageSize(width: each.size[0], height: each.size[1]), quarterTurns: each.turns,
                tiltDegrees: each.tilt)
            for point in each.points {
                let there = form.upright(x: point[0], y: point[1])
                #expect(abs(there.x - point[2]) < 1e-8 && abs(there.y - point[3]) < 1e-8)
            }
        }
        for each in vectors.cuts {
            let systems = HalfPageCut.systems(of: each.boxes.map { ($0[1], $0[3]) })
            #expect(systems.map { [$0.top, $0.bottom] } == each.systems, "\(each.name)")
            let cut = HalfPageCut.height(between: systems)
            #expect((cut == nil) == (each.cut == nil), "\(each.name)")
            if let cut, let wanted = each.cut { #expect(abs(cut - wanted) < 1e-9, "\(each.name)") }
        }
    }

    @Test func noLayoutMovesAMeasureOrARemarkOnItsPage() throws {
        var random = SeededRandomGenerator(seed: 8)
        let before = try part(nil, places: places())
        for _ in 0..<100 {
            let layout = try #require(try Self.randomPart(&random, places: places()).layout)
            let laid = try before.laid(layout)
            #expect(laid.places == before.places && laid.pages == before.pages)
            for place in before.places {
                #expect(laid.findMeasureBox(of: place.first) == place)
            }
            // Taken back, everything is as it was.
            #expect(try laid.laid(nil) == before)
            #expect(laid.pageNumberLimit >= before.pages.count)
        }
    }

    @Test func theCutOfAPageOnItsSideIsThatOfTheUprightPage() throws {
        // Upright, the systems lie one above the other; in the file they lie side by side.
        let box = { (left: Double, right: Double) in
            try PageRectangle(left: left, top: 0.1, right: right, bottom: 0.9)
        }
        let sideways = try [
            MeasureBox(page: 0, first: 1, last: 1, box: box(0.6, 0.9)),
            MeasureBox(page: 0, first: 2, last: 2, box: box(0.1, 0.4)),
        ]
        let laid = try Part(
            name: "Horn", pages: [size], places: sideways,
            layout: PartLayout(pages: [LaidPage(page: 0, quarterTurns: 3)], count: 1))
        let cut = try #require(HalfPageCut.heights(of: laid)[0])
        #expect(abs(cut - 0.5) < 1e-9)
        let form = laid.form(ofPage: 0)
        #expect(form.uprightSize == PageSize(width: 842, height: 595))
        #expect(!HalfPageCut.isBelowCut(try box(0.6, 0.9), form: form, cut: cut))
        #expect(HalfPageCut.isBelowCut(try box(0.1, 0.4), form: form, cut: cut))
    }

    @Test func pagesTurnInTheOrderInWhichTheyAreLaid() throws {
        // The file has its second and third page exchanged; an empty page comes first, the last page is left out.
        let bench = try laidBench([4, 0, 2, 1], marked: [0, 2, 1])
        var stand = bench
        stand.play(0..<10)
        stand.wait(until: stand.now + 1_999)
        #expect(stand.turns.map(\.view.page) == [2])
        stand.play(10..<30)
        #expect(stand.turns.map(\.view.page) == [2, 1])
        stand.take(.pedalPressed(.back))
        #expect(stand.page == 2)
        stand.take(.turnedByPlayer(page: 4))
        stand.take(.pedalPressed(.back))
        #expect(stand.page == 4)
        // A page that is left out is found at the next one that is shown.
        stand.take(.turnedByLeader(page: 3))
        #expect(stand.page == 4)
    }

    @Test func facingPagesGoByPositions() throws {
        var settings = StandSettings()
        settings.facing = .pages
        var stand = try laidBench([4, 0, 2, 1], marked: [0, 2, 1], settings: settings)
        stand.play(0..<10)
        stand.wait(until: stand.now + 1_999)
        // The empty page lies left of the first, the third of the file left of the second.
        #expect(stand.turns.map(\.view.page) == [2])
        settings.facing = .book
        var book = try laidBench([4, 0, 2, 1], marked: [0, 2, 1], settings: settings)
        // The empty page is alone on the right; then come the first and the third of the file.
        #expect(book.page == 0)
        book.play(0..<18)
        #expect(book.turns.isEmpty)
        book.take(.pedalPressed(.forward))
        #expect(book.page == 1)
        book.take(.pedalPressed(.back))
        book.take(.pedalPressed(.back))
        #expect(book.page == -1)
    }

    @Test func aStandKeepsItsPageWhenPagesAreReordered() throws {
        let before = try laidBench([0, 1, 2, 3], marked: [0, 1, 2, 3])
        var stand = before
        stand.take(.turnedByPlayer(page: 2))
        let after = try laidBench([3, 2, 4, 0, 1], marked: [0, 1, 2, 3])
        let moved = PageTurner(
            plan: after.turner.plan, settings: StandSettings(), continuing: stand.turner.state)
        #expect(moved.state.view == PageView(page: 2))
        // If the page is left out, the next one lies there.
        let without = try laidBench([0, 1, 3], marked: [0, 1, 3])
        let found = PageTurner(
            plan: without.turner.plan, settings: StandSettings(), continuing: stand.turner.state)
        #expect(found.state.view == PageView(page: 3))
    }

    private func laidBench(
        _ order: [Int], marked: [Int], settings: StandSettings = StandSettings()
    ) throws -> StandBench {
        let laid = try part(try layout(order), places: places(pages: marked))
        let score = try Score(
            id: .new(), title: "Sinfonie", movements: [Movement(name: "", piece: "allegro")], parts: [laid])
        return StandBench(
            PageTurnPlan(
                score: score, part: 0, measures: [try measures(Array(1...(10 * marked.count)), seconds: 2)],
                pageArrangement: settings.facing), settings: settings)
    }

    private static func randomPart(
        _ random: inout SeededRandomGenerator, places: [MeasureBox] = []
    ) throws -> Part {
        let count = 4
        let all = Array(0..<(count + Int.random(in: 0...3, using: &random))).shuffled(using: &random)
        let pages = all.prefix(Int.random(in: 1...all.count, using: &random)).map {
            LaidPage(
                page: $0, quarterTurns: .random(in: 0...3, using: &random),
                tiltDegrees: Bool.random(using: &random) ? .random(in: -10...10, using: &random) : nil)
        }
        let box = try PageRectangle(left: 0.1, top: 0.05, right: 0.9, bottom: 0.95)
        let crop = Bool.random(using: &random) ? PageCrop(odd: box, even: box) : nil
        return try Part(
            name: "Horn", pages: Array(repeating: PageSize(width: 595, height: 842), count: count),
            places: places,
            layout: PartLayout(pages: pages, crop: crop, count: count))
    }
}
