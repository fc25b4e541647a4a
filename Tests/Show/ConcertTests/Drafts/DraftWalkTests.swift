import Basics
import Testing

@testable import Concert

/// Random edits of random pieces: whatever is done can be undone, and the edits of two people combine.
@Suite struct DraftWalkTests {
    private static let walks: UInt64 = 60
    private static let steps = 120

    /// Makes edits, also impossible ones.
    private struct EditMaker {
        var random: SeededRandomGenerator
        var made = 0
        let who: String

        init(seed: UInt64, who: String = "a") {
            random = SeededRandomGenerator(seed: seed)
            self.who = who
        }

        mutating func time() -> Double { Double(Int.random(in: -20...2_000, using: &random)) / 17 }

        mutating func newID() -> String {
            made += 1
            return "\(who)\(made)"
        }

        mutating func someBar(of draft: PieceDraft) -> String {
            Int.random(in: 0..<10, using: &random) == 0
                ? "gone" : draft.bars.randomElement(using: &random)?.id ?? "none"
        }

        mutating func edit(of draft: PieceDraft) -> DraftEdit {
            let bar = someBar(of: draft)
            switch Int.random(in: 0..<16, using: &random) {
            case 0...2:
                return .insert(bar: newID(), seconds: time(), printed: Int.random(in: 1...99, using: &random))
            case 3...5: return .move(bar: bar, seconds: time())
            case 6: return .delete(bar: bar)
            case 7, 8: return .shift(from: bar, by: Double(Int.random(in: -900...900, using: &random)) / 300)
            case 9: return .renumber(from: bar, number: Int.random(in: -1_100...99, using: &random))
            case 10: return .number(bar: bar, number: Int.random(in: 1...99, using: &random))
            case 11: return .check(bar: bar, checked: Bool.random(using: &random))
            case 12: return .end(seconds: Bool.random(using: &random) ? time() : nil)
            case 13:
                return .mark(
                    id: "m\(Int.random(in: 0..<6, using: &random))", bar: bar,
                    kind: Bool.random(using: &random) ? .section : .rehearsal, text: "A")
            case 14: return .unmark(id: "m\(Int.random(in: 0..<6, using: &random))")
            default:
                let bars = (0..<Int.random(in: 0...8, using: &random)).map { number in
                    DraftBar(id: "r\(number)", seconds: Double(number) * 1.5, printed: number + 1)
                }
                return .replaceBars(bars: bars, end: 20)
            }
        }
    }

    private static func piece(bars: Int = 12) throws -> PieceDraft {
        var draft = try PieceDraft(name: "Composer, Piece: Movement")
        _ = draft.apply(
            (0..<bars).map { .insert(bar: "b\($0)", seconds: 1 + 2 * Double($0), printed: $0 + 1) })
        return draft
    }

    private func expectOrder(_ draft: PieceDraft) {
        #expect(zip(draft.bars, draft.bars.dropFirst()).allSatisfy { $0.seconds < $1.seconds })
        let ids = Set(draft.bars.map(\.id))
        #expect(ids.count == draft.bars.count)
        #expect(draft.marks.allSatisfy { ids.contains($0.bar) })
    }

    @Test(arguments: 0..<walks) func everyEditIsUndoneByItsInverse(seed: UInt64) throws {
        var maker = EditMaker(seed: seed)
        var draft = try Self.piece()
        for _ in 0..<Self.steps {
            let edit = maker.edit(of: draft)
            let before = draft
            let outcome = draft.apply([edit])
            #expect(outcome.applied.count + outcome.skipped.count == 1)
            if outcome.applied.isEmpty { #expect(draft == before, "a refused edit changes nothing") }
            expectOrder(draft)
            var undone = draft
            #expect(undone.apply(outcome.inverse).skipped.isEmpty)
            #expect(undone == before, "\(edit)")
        }
    }

    @Test(arguments: 0..<walks) func manyEditsAtOnceAreUndoneAtOnceAndRedone(seed: UInt64) throws {
        var maker = EditMaker(seed: seed)
        let before = try Self.piece()
        var ahead = before
        var edits: [DraftEdit] = []
        for _ in 0..<Self.steps {
            edits.append(maker.edit(of: ahead))
            _ = ahead.apply([edits[edits.count - 1]])
        }
        var draft = before
        let done = draft.apply(edits)
        #expect(draft == ahead)
        let undo = draft.apply(done.inverse)
        #expect(draft == before && undo.skipped.isEmpty)
        let redo = draft.apply(undo.inverse)
        #expect(draft == ahead && redo.skipped.isEmpty)
    }

    @Test(arguments: 0..<walks) func whatTwoPeopleDoToDifferentBarsCombinesInAnyOrder(seed: UInt64) throws {
        var random = SeededRandomGenerator(seed: seed)
        let draft = try Self.piece()
        func edits(of numbers: [Int], _ who: String) -> [DraftEdit] {
            numbers.flatMap { number -> [DraftEdit] in
                let place = 1 + 2 * Double(number)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: return [.move(bar: "b\(number)", seconds: place + 0.3)]
                case 1: return [.delete(bar: "b\(number)")]
                case 2: return [.number(bar: "b\(number)", number: 50)]
                case 3: return [.insert(bar: "\(who)\(number)", seconds: place + 0.7, printed: 9)]
                default: return [.mark(id: "\(who)\(number)", bar: "b\(number)", kind: .section, text: who)]
                }
            }
        }
        let hers = edits(of: [0, 2, 4, 6, 8, 10], "h")
        let his = edits(of: [1, 3, 5, 7, 9, 11], "i")
        var (one, other) = (draft, draft)
        let herOutcome = one.apply(hers)
        _ = one.apply(his)
        _ = other.apply(his)
        _ = other.apply(hers)
        #expect(one == other)
        // She takes hers back; his stay.
        _ = one.apply(herOutcome.inverse)
        var onlyHis = draft
        _ = onlyHis.apply(his)
        #expect(one == onlyHis)
    }

    @Test(arguments: 0..<walks) func twoPeopleWhoEditEverythingAtOnceKeepThePieceWhole(seed: UInt64) throws {
        var (hers, his) = (EditMaker(seed: seed, who: "h"), EditMaker(seed: seed + 1_000, who: "i"))
        var draft = try Self.piece()
        var herView = draft
        for step in 0..<Self.steps {
            // Her page is some edits behind.
            let outcome =
                step.isMultiple(of: 2)
                ? draft.apply([hers.edit(of: herView)]) : draft.apply([his.edit(of: draft)])
            if step.isMultiple(of: 5) { herView = draft }
            if step.isMultiple(of: 7) { _ = draft.apply(outcome.inverse) }
            expectOrder(draft)
        }
    }
}
