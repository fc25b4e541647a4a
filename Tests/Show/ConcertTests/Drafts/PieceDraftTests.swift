import Testing

@testable import Concert

@Suite struct PieceDraftTests {
    private static func piece(_ numbers: [Int] = [1, 2, 3, 4]) throws -> PieceDraft {
        var draft = try PieceDraft(name: "Minuet")
        _ = draft.apply(
            numbers.enumerated().map { index, number in
                .insert(
                    bar: "b\(index)", seconds: Double(index), printed: number, doubt: 0.6, origin: .score,
                    checked: false)
            })
        return draft
    }

    @Test func aMovedBarIsAPersonsAndInNoDoubt() throws {
        var draft = try Self.piece()
        #expect(draft.bars[1].isDoubtful)
        _ = draft.apply([.move(bar: "b1", seconds: 1.234_56)])
        #expect(draft.bars[1].seconds == 1.234_6)
        #expect(draft.bars[1].origin == .person && !draft.bars[1].isDoubtful)
    }

    @Test func renumberingCountsOnToTheNextLeap() throws {
        var draft = try Self.piece([1, 2, 3, 1, 2])
        _ = draft.apply([.renumber(from: "b1", number: 12)])
        #expect(draft.bars.map(\.printed) == [1, 12, 13, 1, 2])
    }

    @Test func pieceEndsAfterTheRecordingBegins() throws {
        var draft = try Self.piece()
        #expect(draft.apply([.end(seconds: 0)]).skipped.first?.contains("must end after") == true)
        #expect(draft.apply([.end(seconds: -1)]).skipped.count == 1)
        #expect(draft.apply([.replaceBars(bars: draft.bars, end: 0)]).skipped.count == 1)
        #expect(draft.end == nil)
        #expect(draft.apply([.end(seconds: 5), .end(seconds: nil)]).skipped.isEmpty)
    }

    @Test func shiftingKeepsTheOrderAndTakesTheEndAlong() throws {
        var draft = try Self.piece()
        _ = draft.apply([.end(seconds: 5)])
        #expect(draft.apply([.shift(from: "b2", by: 0.5)]).skipped.isEmpty)
        #expect(draft.bars.map(\.seconds) == [0, 1, 2.5, 3.5] && draft.end == 5.5)
        let outcome = draft.apply([.shift(from: "b2", by: -1.5)])
        #expect(outcome.skipped == ["Bar 3 would begin before bar 2."])
    }

    @Test func anEditOfABarThatIsGoneIsSkippedAndSaid() throws {
        var draft = try Self.piece()
        let outcome = draft.apply([
            .delete(bar: "b1"), .move(bar: "b1", seconds: 9), .number(bar: "b2", number: 7),
        ])
        #expect(outcome.applied.count == 2)
        #expect(outcome.skipped == ["The bar no longer exists; somebody deleted it."])
        #expect(draft.bars.map(\.printed) == [1, 7, 4])
    }

    @Test func theMarksOfADeletedBarComeBackWithIt() throws {
        var draft = try Self.piece()
        _ = draft.apply([.mark(id: "m", bar: "b1", kind: .rehearsal, text: "A")])
        let outcome = draft.apply([.delete(bar: "b1")])
        #expect(draft.marks.isEmpty)
        _ = draft.apply(outcome.inverse)
        #expect(draft.marks.map(\.text) == ["A"])
    }

    @Test func timesAndNamesOutOfBoundsAreRefused() throws {
        var draft = try Self.piece()
        let before = draft
        let edits: [DraftEdit] = [
            .move(bar: "b0", seconds: -1), .move(bar: "b0", seconds: .nan), .move(bar: "b0", seconds: 2),
            .insert(bar: "no spaces", seconds: 9, printed: 1), .insert(bar: "b0", seconds: 9, printed: 1),
            .number(bar: "b0", number: 1_000_000), .name(name: " "), .name(name: "two\nlines"),
            .beatsPerBar(beats: 0), .shift(from: "b0", by: .infinity),
            .replaceBars(
                bars: [DraftBar(id: "x", seconds: 1, printed: 1), DraftBar(id: "x", seconds: 2, printed: 2)],
                end: nil),
        ]
        #expect(draft.apply(edits).skipped.count == edits.count)
        #expect(draft == before)
    }
}
