import Basics
import Foundation
import Testing

@testable import Catalogue

/// Two editors, one concert.
@Suite struct ContentEditTests {
    let folder: CatalogueFolder
    let store: CatalogueStore

    init() throws {
        folder = try CatalogueFolder()
        store = try CatalogueStore(path: folder.file)
    }

    private func id(_ text: String) -> ConcertNodeID { ConcertNodeID(rawValue: text)! }

    /// A concert of one piece with one track of three slides: a, b, c.
    private func makeConcert(servesFirst: Bool = true) async throws -> Int64 {
        try await store.makeConcert(
            [
                .setField(.root, field: "title", to: "Tonight"),
                .insertNode(
                    id("piece"), .piece, in: .root, before: nil, fields: ["name": "Bach, Prelude: I"]),
                .insertNode(id("track"), .track, in: id("piece"), before: nil, fields: ["name": "The Music"]),
                .insertNode(
                    id("a"), .slide, in: id("track"), before: nil, fields: ["text": "one", "printed": "1"]),
                .insertNode(
                    id("b"), .slide, in: id("track"), before: nil, fields: ["text": "two", "printed": "2"]),
                .insertNode(
                    id("c"), .slide, in: id("track"), before: nil, fields: ["text": "three", "printed": "3"]),
            ], author: "Ed", label: "made", servesFirst: servesFirst)
    }

    @discardableResult
    private func edit(
        _ concert: Int64, base: Int?, by author: String = "Ed", _ changes: ConcertChange...
    ) async throws(ConcertEditFault) -> ConcertTree {
        try await store.editConcert(
            concert, ConcertEdit(baseRevision: base, changes: changes, author: author, label: "test")
        ).newestTree
    }

    private func slides(_ tree: ConcertTree) -> [String] {
        tree.children(of: id("track"), kind: .slide).map(\.id.rawValue)
    }

    private func conflicts(_ work: () async throws -> Void) async -> [ConcertEditConflict] {
        do {
            try await work()
            return []
        } catch ConcertEditFault.conflicts(let conflicts) {
            return conflicts
        } catch ConcertEditFault.cannotUndo(_, _, because: .conflicts(let conflicts)) {
            return conflicts
        } catch {
            Issue.record("\(error)")
            return []
        }
    }

    @Test func editsOfDifferentFieldsFromOneBaseBothStay() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .setField(id("a"), field: "text", to: "ONE"))
        try await edit(concert, base: 1, by: "Flo", .setField(id("b"), field: "text", to: "TWO"))
        let tree = try await edit(concert, base: 1, by: "Flo", .setField(id("a"), field: "printed", to: "7"))
        #expect(tree[id("a")]?["text"] == "ONE")
        #expect(tree[id("a")]?["printed"] == "7")
        #expect(tree[id("b")]?["text"] == "TWO")
        #expect(tree.revision == 4)
    }

    @Test func theSameFieldWrittenTwiceIsAConflictWithBothTextsAndTheOthersName() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .setField(id("a"), field: "text", to: "mine was first"))
        let found = await conflicts {
            try await edit(
                concert, base: 1, by: "Flo", .setField(id("b"), field: "text", to: "lost with the rest"),
                .setField(id("a"), field: "text", to: "mine came later"))
        }
        #expect(
            found == [
                ConcertEditConflict(
                    reason: .field, node: id("a"), field: "text", proposedValue: "mine came later",
                    storedValue: "mine was first", revision: 2, storedValueAuthor: "Ed")
            ])
        // All or nothing: the other change of the same edit was not made.
        let tree = try await store.concertContent(of: concert)
        #expect(tree.revision == 2)
        #expect(tree[id("b")]?["text"] == "two")
        // From the newest revision the later text is taken.
        #expect(
            try await edit(concert, base: 2, by: "Flo", .setField(id("a"), field: "text", to: "settled"))[
                id("a")]?["text"]
                == "settled")
    }

    @Test func theSameTextTwiceIsNoConflictAndNoRevision() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, .setField(id("a"), field: "text", to: "agreed"))
        let tree = try await edit(
            concert, base: 1, by: "Flo", .setField(id("a"), field: "text", to: "agreed"))
        #expect(tree.revision == 2)
    }

    @Test func whatSomebodyEditedIsNotRemovedUnseen() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .setField(id("b"), field: "text", to: "worked on"))
        let found = await conflicts { try await edit(concert, base: 1, by: "Flo", .removeNode(id("track"))) }
        #expect(found.map(\.reason) == [.edited])
        #expect(found.first?.node == id("b"))
        #expect(found.first?.storedValue == "worked on")
        try await edit(concert, base: 2, by: "Flo", .removeNode(id("track")))
        #expect(try await store.concertContent(of: concert)[id("b")] == nil)
    }

    @Test func whatWasRemovedTakesNoEdit() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .removeNode(id("a")))
        let found = await conflicts {
            try await edit(concert, base: 1, by: "Flo", .setField(id("a"), field: "text", to: "still mine"))
        }
        #expect(found.map(\.reason) == [.removed])
        #expect(found.first?.proposedValue == "still mine")
        #expect(found.first?.storedValueAuthor == "Ed")
        // Into a track that is gone nothing is put either.
        try await edit(concert, base: 2, by: "Ed", .removeNode(id("track")))
        let inside = await conflicts {
            try await edit(
                concert, base: 2, by: "Flo",
                .insertNode(id("d"), .slide, in: id("track"), before: nil, fields: [:]))
        }
        #expect(inside.map(\.reason) == [.removed])
    }

    @Test func slidesStandWhereTheyArePutWhoeverMovesThem() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, .moveNode(id("c"), in: id("track"), before: id("a")))
        let tree = try await edit(
            concert, base: 1, by: "Flo", .moveNode(id("a"), in: id("track"), before: nil))
        #expect(slides(tree) == ["c", "b", "a"])
        // The same one dragged by two is told.
        let found = await conflicts {
            try await edit(concert, base: 1, by: "Flo", .moveNode(id("c"), in: id("track"), before: nil))
        }
        #expect(found.map(\.reason) == [.moved])
        // A track can go to another piece, with everything in it.
        let moved = try await edit(
            concert, base: 3,
            .insertNode(id("other"), .piece, in: .root, before: id("piece"), fields: ["name": "B, C: D"]),
            .moveNode(id("track"), in: id("other"), before: nil))
        #expect(moved.children(of: id("piece"), kind: .track).isEmpty)
        #expect(slides(moved) == ["c", "b", "a"])
        #expect(moved.children(of: .root, kind: .piece).map(\.id.rawValue) == ["other", "piece"])
    }

    @Test func thereIsAlwaysRoomBetweenTwoSlides() async throws {
        let concert = try await makeConcert()
        var wanted: [String] = []
        for number in 0..<80 {
            try await edit(
                concert, base: nil,
                .insertNode(id("n\(number)"), .slide, in: id("track"), before: id("b"), fields: [:]))
            wanted.append("n\(number)")
        }
        #expect(slides(try await store.concertContent(of: concert)) == ["a"] + wanted + ["b", "c"])
    }

    @Test func undoTakesBackOnesOwnNewestEditAndLeavesOthers() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .setField(id("a"), field: "text", to: "Ed's"))
        try await edit(concert, base: 2, by: "Flo", .setField(id("b"), field: "text", to: "Flo's"))
        try await edit(concert, base: 3, by: "Ed", .removeNode(id("c")))
        #expect(
            slides(try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo).newestTree) == [
                "a", "b", "c",
            ])
        var tree = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo).newestTree
        #expect(tree[id("a")]?["text"] == "one")
        #expect(tree[id("b")]?["text"] == "Flo's")
        await #expect(throws: ConcertEditFault.nothingToUndo) {
            try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo)
        }
        // And forward again, in order.
        #expect(
            try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .redo).newestTree[id("a")]?["text"]
                == "Ed's")
        #expect(
            slides(try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .redo).newestTree) == [
                "a", "b",
            ])
        await #expect(throws: ConcertEditFault.nothingToRedo) {
            try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .redo)
        }
        // And back once more: a redo can be undone.
        #expect(
            slides(try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo).newestTree) == [
                "a", "b", "c",
            ])
        // A new edit ends what could be redone.
        try await edit(concert, base: nil, by: "Ed", .setField(id("c"), field: "text", to: "another way"))
        await #expect(throws: ConcertEditFault.nothingToRedo) {
            try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .redo)
        }
        tree = try await store.concertContent(of: concert)
        #expect(try await store.editHistory(of: concert).count == tree.revision)
    }

    @Test func undoDoesNotOverwriteWhoCameLater() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .setField(id("a"), field: "text", to: "Ed's"))
        try await edit(concert, base: 2, by: "Flo", .setField(id("a"), field: "text", to: "Flo's"))
        let found = await conflicts { _ = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo) }
        #expect(found.map(\.storedValue) == ["Flo's"])
        #expect(found.map(\.proposedValue) == ["one"])
        #expect(found.map(\.storedValueAuthor) == ["Flo"])
        #expect(try await store.concertContent(of: concert)[id("a")]?["text"] == "Flo's")
    }

    @Test func undoGoesOnPastWhatItCannotTakeBack() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .setField(id("b"), field: "text", to: "Ed's first"))
        try await edit(concert, base: 2, by: "Ed", .setField(id("a"), field: "text", to: "Ed's second"))
        try await edit(concert, base: 3, by: "Flo", .setField(id("a"), field: "text", to: "Flo's"))
        var stuck: Int?
        do {
            _ = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo)
        } catch ConcertEditFault.cannotUndo(
            let at, _, _)
        {
            stuck = at
        }
        #expect(stuck == 3)
        let tree = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo, passing: stuck)
            .newestTree
        #expect(tree[id("b")]?["text"] == "two")
        #expect(tree[id("a")]?["text"] == "Flo's")
        #expect(
            try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .redo).newestTree[id("b")]?["text"]
                == "Ed's first")
    }

    @Test func aMoveOutOfWhatWasRemovedIsAConflictToPassToo() async throws {
        let concert = try await makeConcert()
        try await edit(
            concert, base: 1, by: "Ed",
            .insertNode(id("t2"), .track, in: id("piece"), before: nil, fields: ["name": "History"]),
            .setField(id("b"), field: "text", to: "Ed's"))
        try await edit(concert, base: 2, by: "Ed", .moveNode(id("a"), in: id("t2"), before: nil))
        try await edit(concert, base: 3, by: "Flo", .removeNode(id("track")))
        let found = await conflicts { _ = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo) }
        #expect(found.map(\.reason) == [.removed])
    }

    @Test func anEarlierVersionComesBackAsANewEditThatCanBeUndone() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .setField(id("a"), field: "text", to: "better"))
        let wanted = try await store.concertContent(of: concert)
        try await edit(
            concert, base: 2, by: "Flo", .removeNode(id("b")), .setField(id("a"), field: "text", to: "worse"),
            .moveNode(id("c"), in: id("track"), before: id("a")),
            .insertNode(id("d"), .slide, in: id("track"), before: id("a"), fields: ["text": "more"]))
        let bad = try await store.concertContent(of: concert)
        let past = try await store.pastEdit(of: concert, revision: 2)
        #expect(past.changes == [.wrote(id("a"), field: "text", from: "one", to: "better")])
        #expect(slides(past.treeAfter) == ["a", "b", "c"] && past.treeAfter[id("a")]?["text"] == "better")
        #expect(past.treeBefore[id("a")]?["text"] == "one")
        let tree = try await store.restoreRevision(concert, revision: 2, seen: 3, by: "Ed", label: "back")
            .newestTree
        #expect(slides(tree) == slides(wanted))
        #expect(tree[id("a")]?.fields == wanted[id("a")]?.fields)
        let undone = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo).newestTree
        #expect(slides(undone) == slides(bad) && undone[id("a")]?["text"] == "worse")
        // One slide alone; the rest stays as it is now.
        let one = try await store.restoreRevision(
            concert, revision: 2, node: id("a"), seen: 5, by: "Ed", label: "a"
        ).newestTree
        #expect(one[id("a")]?["text"] == "better" && slides(one) == slides(bad))
        await #expect(throws: ConcertEditFault.editedSince(seen: 5, newest: 6)) {
            try await store.restoreRevision(concert, revision: 1, seen: 5, by: "Flo", label: "late")
        }
        await #expect(throws: ConcertEditFault.noSuchRevision(9, newest: 6)) {
            try await store.restoreRevision(concert, revision: 9, seen: 6, by: "Flo", label: "never")
        }
        // A change to the same value makes no revision.
        #expect(
            try await store.restoreRevision(concert, revision: 6, seen: 6, by: "Flo", label: "same")
                .hasChanged
                == false)
    }

    @Test func everyRevisionOfARandomEveningIsFoundAgain() async throws {
        let concert = try await makeConcert()
        var chance = SeededRandomGenerator(seed: 11)
        var kept = [1: try await store.concertContent(of: concert)]
        func shape(_ tree: ConcertTree) -> [String] {
            tree.children(of: .root, kind: .piece).flatMap { piece in
                tree.children(of: piece.id, kind: .track).flatMap { track in
                    [track.id.rawValue]
                        + tree.children(of: track.id, kind: .slide).map { "\($0.id) \($0["text"])" }
                }
            }
        }
        try await edit(
            concert, base: nil, by: "Ed",
            .insertNode(id("t2"), .track, in: id("piece"), before: nil, fields: ["name": "History"]))
        for step in 0..<60 {
            let tree = try await store.concertContent(of: concert)
            kept[tree.revision] = tree
            let all = ["track", "t2"].flatMap { tree.children(of: id($0), kind: .slide) }
            let some = all.isEmpty ? nil : all[Int(chance.next() % UInt64(all.count))]
            let change: ConcertChange =
                switch (chance.next() % 4, some) {
                case (0, let some?): .removeNode(some.id)
                case (1, let some?):
                    .moveNode(some.id, in: id(step.isMultiple(of: 2) ? "track" : "t2"), before: nil)
                case (2, let some?): .setField(some.id, field: "text", to: "text \(step)")
                default:
                    .insertNode(
                        id("n\(step)"), .slide, in: id("t2"),
                        before: some.flatMap { $0.parent == id("t2") ? $0.id : nil },
                        fields: ["text": "new \(step)"])
                }
            try await edit(concert, base: nil, by: "Ed", change)
            if step.isMultiple(of: 7) {
                _ = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo)
            }
        }
        var newest = try await store.concertContent(of: concert).revision
        for (revision, tree) in kept.sorted(by: { $0.key > $1.key }) {
            #expect(shape(try await store.pastEdit(of: concert, revision: revision).treeAfter) == shape(tree))
            let back = try await store.restoreRevision(
                concert, revision: revision, seen: newest, by: "Flo", label: "back")
            newest = back.newestTree.revision
            #expect(shape(back.newestTree) == shape(tree))
        }
    }

    @Test func undoingASlideDoesNotThrowAwayWhatOthersWroteOnIt() async throws {
        let concert = try await makeConcert()
        try await edit(
            concert, base: 1, by: "Ed",
            .insertNode(id("d"), .slide, in: id("track"), before: nil, fields: ["text": "new"]))
        // One's own work on it is no hindrance.
        try await edit(concert, base: 2, by: "Ed", .setField(id("d"), field: "text", to: "newer"))
        _ = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo)
        #expect(
            slides(try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo).newestTree) == [
                "a", "b", "c",
            ])
        _ = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .redo)
        try await edit(concert, base: nil, by: "Flo", .setField(id("d"), field: "text", to: "Flo's work"))
        let found = await conflicts { _ = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo) }
        #expect(found.map(\.reason) == [.edited])
        #expect(found.map(\.storedValue) == ["Flo's work"])
    }

    @Test func whatWasAcknowledgedIsThereAfterARestart() async throws {
        let concert = try await makeConcert()
        let tree = try await edit(
            concert, base: 1, .setField(id("a"), field: "text", to: "kept"), .removeNode(id("b")))
        let again = try CatalogueStore(path: folder.file)
        #expect(try await again.concertContent(of: concert) == tree)
        #expect(try await again.publicConcertRevision()?.revision == 2)
        #expect(try await again.concerts().map(\.title) == ["Tonight"])
        // And so is the way back.
        #expect(
            slides(try await again.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo).newestTree) == [
                "a", "b", "c",
            ])
    }

    @Test func whatMakesNoSenseIsRefusedInASentence() async throws {
        let concert = try await makeConcert()
        await #expect(throws: ConcertEditFault.unknownField("colour", of: .slide)) {
            try await edit(concert, base: 1, .setField(id("a"), field: "colour", to: "red"))
        }
        await #expect(throws: ConcertEditFault.wrongParentKind(.slide)) {
            try await edit(
                concert, base: 1, .insertNode(id("x"), .slide, in: id("piece"), before: nil, fields: [:]))
        }
        await #expect(throws: ConcertEditFault.nodeIDTaken("a")) {
            try await edit(
                concert, base: 1, .insertNode(id("a"), .slide, in: id("track"), before: nil, fields: [:]))
        }
        await #expect(throws: ConcertEditFault.noSuchNode("ghost")) {
            try await edit(concert, base: 1, .setField(id("ghost"), field: "text", to: "boo"))
        }
        await #expect(throws: ConcertEditFault.baseRevisionTooNew(base: 9, newest: 1)) {
            try await edit(concert, base: 9, .setField(id("a"), field: "text", to: "from the future"))
        }
        await #expect(throws: ConcertEditFault.noSuchConcert(99)) {
            try await edit(99, base: nil, .setField(.root, field: "title", to: "x"))
        }
        await #expect(throws: ConcertEditFault.self) {
            try await edit(
                concert, base: 1, .setField(id("a"), field: "text", to: String(repeating: "x", count: 20_001))
            )
        }
        #expect(try await store.concertContent(of: concert).revision == 1)
        #expect(ConcertNodeID(rawValue: "../a") == nil)
    }

    @Test func aHundredThousandSlidesAreRefusedInASentenceAndAtOnce() async throws {
        var changes: [ConcertChange] = [
            .insertNode(id("piece"), .piece, in: .root, before: nil, fields: ["name": "B, C: D"]),
            .insertNode(id("track"), .track, in: id("piece"), before: nil, fields: [:]),
        ]
        for number in 0..<100_000 {
            changes.append(
                .insertNode(id("s\(number)"), .slide, in: id("track"), before: nil, fields: ["text": "x"]))
        }
        let made = changes
        let error = await #expect(throws: ConcertEditFault.tooManyNodes(.slide, count: 100_000)) {
            try await store.makeConcert(made, author: "Ed", label: "too much")
        }
        #expect(
            error?.sentence
                == "The concert would have 100000 slides; it may have 20000. Divide the concert, or leave some out."
        )
        #expect(try await store.concerts().isEmpty)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func undoingEverythingLeadsBackToTheBeginning(seed: UInt64) async throws {
        let concert = try await makeConcert()
        let before = picture(try await store.concertContent(of: concert))
        var random = SeededRandomGenerator(seed: seed)
        var edits = 0
        for step in 0..<80 {
            let tree = try await store.concertContent(of: concert)
            let living = slides(tree)
            func anyone() -> ConcertNodeID { id(living.randomElement(using: &random) ?? "track") }
            let change: ConcertChange =
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    .insertNode(
                        id("r\(step)"), .slide, in: id("track"), before: living.isEmpty ? nil : anyone(),
                        fields: ["text": "\(step)"])
                case 1 where living.count > 1: .removeNode(anyone())
                case 2 where living.count > 1:
                    .moveNode(
                        anyone(), in: id("track"), before: Bool.random(using: &random) ? nil : anyone())
                default: .setField(anyone(), field: living.isEmpty ? "name" : "text", to: "v\(step)")
                }
            let outcome = try await store.editConcert(
                concert,
                ConcertEdit(baseRevision: tree.revision, changes: [change], author: "Ed", label: "walk"))
            if outcome.hasChanged { edits += 1 }
        }
        let after = picture(try await store.concertContent(of: concert))
        for _ in 0..<edits { _ = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo) }
        #expect(picture(try await store.concertContent(of: concert)) == before)
        await #expect(throws: ConcertEditFault.nothingToUndo) {
            try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .undo)
        }
        for _ in 0..<edits { _ = try await store.undoOrRedoNewestEdit(concert, by: "Ed", as: .redo) }
        #expect(picture(try await store.concertContent(of: concert)) == after)
    }

    /// The slides that a listener would see, in order, with their texts.
    private func picture(_ tree: ConcertTree) -> [[String: String]] {
        tree.children(of: id("track"), kind: .slide).map {
            $0.fields.merging(["id": $0.id.rawValue]) { first, _ in first }
        }
    }

    @Test func aConcertIsServedAtOnceOnlyIfItIsTheOnlyOneAndTheMakerSaysSo() async throws {
        let draft = try await makeConcert(servesFirst: false)
        #expect(try await store.publicConcertRevision() == nil)
        let second = try await makeConcert(servesFirst: true)
        #expect(try await store.publicConcertRevision() == nil, "there is a draft, and nobody has served it")
        try await store.removeConcert(draft)
        try await store.makeConcertPublic(second)
        try await store.makeNoConcertPublic()
        #expect(try await store.publicConcertRevision() == nil)
        try await store.removeConcert(second)
    }

    @Test func theServedConcertStaysOnTheListUntilAnotherIsServed() async throws {
        let first = try await makeConcert()
        let second = try await store.makeConcert(
            [.setField(.root, field: "title", to: "Tomorrow")], author: "Ed", label: "made")
        #expect(try await store.publicConcertRevision()?.concert == first)
        await #expect(throws: ConcertEditFault.noSuchConcert(first)) { try await store.removeConcert(first) }
        try await store.makeConcertPublic(second)
        try await store.removeConcert(first)
        #expect(try await store.concerts().map(\.id) == [second])
        await #expect(throws: ConcertEditFault.noSuchConcert(first)) {
            try await store.concertContent(of: first)
        }
    }
}
