import Chance
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

    private func id(_ text: String) -> ContentNodeID { ContentNodeID(rawValue: text)! }

    /// A concert of one piece with one track of three slides: a, b, c.
    private func makeConcert() async throws -> Int64 {
        try await store.makeConcert(
            [
                .set(.root, field: "title", to: "Tonight"),
                .insert(id("piece"), .piece, in: .root, before: nil, fields: ["name": "Bach, Prelude: I"]),
                .insert(id("track"), .track, in: id("piece"), before: nil, fields: ["name": "The Music"]),
                .insert(
                    id("a"), .slide, in: id("track"), before: nil, fields: ["text": "one", "printed": "1"]),
                .insert(
                    id("b"), .slide, in: id("track"), before: nil, fields: ["text": "two", "printed": "2"]),
                .insert(
                    id("c"), .slide, in: id("track"), before: nil, fields: ["text": "three", "printed": "3"]),
            ], author: "Ed", label: "made")
    }

    @discardableResult
    private func edit(
        _ concert: Int64, base: Int?, by author: String = "Ed", _ changes: ContentChange...
    ) async throws(ContentFault) -> ContentTree {
        try await store.edit(
            concert, ContentEdit(base: base, changes: changes, author: author, label: "test")
        ).tree
    }

    private func slides(_ tree: ContentTree) -> [String] {
        tree.children(of: id("track"), .slide).map(\.id.rawValue)
    }

    private func conflicts(_ work: () async throws -> Void) async -> [ContentConflict] {
        do {
            try await work()
            return []
        } catch ContentFault.conflicts(let conflicts) {
            return conflicts
        } catch ContentFault.cannotUndo(_, _, because: .conflicts(let conflicts)) {
            return conflicts
        } catch {
            Issue.record("\(error)")
            return []
        }
    }

    @Test func editsOfDifferentFieldsFromOneBaseBothStay() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .set(id("a"), field: "text", to: "ONE"))
        try await edit(concert, base: 1, by: "Flo", .set(id("b"), field: "text", to: "TWO"))
        let tree = try await edit(concert, base: 1, by: "Flo", .set(id("a"), field: "printed", to: "7"))
        #expect(tree[id("a")]?["text"] == "ONE")
        #expect(tree[id("a")]?["printed"] == "7")
        #expect(tree[id("b")]?["text"] == "TWO")
        #expect(tree.revision == 4)
    }

    @Test func theSameFieldWrittenTwiceIsAConflictWithBothTextsAndTheOthersName() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .set(id("a"), field: "text", to: "mine was first"))
        let found = await conflicts {
            try await edit(
                concert, base: 1, by: "Flo", .set(id("b"), field: "text", to: "lost with the rest"),
                .set(id("a"), field: "text", to: "mine came later"))
        }
        #expect(
            found == [
                ContentConflict(
                    reason: .field, node: id("a"), field: "text", mine: "mine came later",
                    theirs: "mine was first", revision: 2, author: "Ed")
            ])
        // All or nothing: the other change of the same edit was not made.
        let tree = try await store.content(of: concert)
        #expect(tree.revision == 2)
        #expect(tree[id("b")]?["text"] == "two")
        // From the newest revision the later text is taken.
        #expect(
            try await edit(concert, base: 2, by: "Flo", .set(id("a"), field: "text", to: "settled"))[
                id("a")]?["text"]
                == "settled")
    }

    @Test func theSameTextTwiceIsNoConflictAndNoRevision() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, .set(id("a"), field: "text", to: "agreed"))
        let tree = try await edit(concert, base: 1, by: "Flo", .set(id("a"), field: "text", to: "agreed"))
        #expect(tree.revision == 2)
    }

    @Test func whatSomebodyEditedIsNotRemovedUnseen() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .set(id("b"), field: "text", to: "worked on"))
        let found = await conflicts { try await edit(concert, base: 1, by: "Flo", .remove(id("track"))) }
        #expect(found.map(\.reason) == [.edited])
        #expect(found.first?.node == id("b"))
        #expect(found.first?.theirs == "worked on")
        try await edit(concert, base: 2, by: "Flo", .remove(id("track")))
        #expect(try await store.content(of: concert)[id("b")] == nil)
    }

    @Test func whatWasRemovedTakesNoEdit() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .remove(id("a")))
        let found = await conflicts {
            try await edit(concert, base: 1, by: "Flo", .set(id("a"), field: "text", to: "still mine"))
        }
        #expect(found.map(\.reason) == [.removed])
        #expect(found.first?.mine == "still mine")
        #expect(found.first?.author == "Ed")
        // Into a track that is gone nothing is put either.
        try await edit(concert, base: 2, by: "Ed", .remove(id("track")))
        let inside = await conflicts {
            try await edit(
                concert, base: 2, by: "Flo",
                .insert(id("d"), .slide, in: id("track"), before: nil, fields: [:]))
        }
        #expect(inside.map(\.reason) == [.removed])
    }

    @Test func slidesStandWhereTheyArePutWhoeverMovesThem() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, .move(id("c"), in: id("track"), before: id("a")))
        let tree = try await edit(concert, base: 1, by: "Flo", .move(id("a"), in: id("track"), before: nil))
        #expect(slides(tree) == ["c", "b", "a"])
        // The same one dragged by two is told.
        let found = await conflicts {
            try await edit(concert, base: 1, by: "Flo", .move(id("c"), in: id("track"), before: nil))
        }
        #expect(found.map(\.reason) == [.moved])
        // A track can go to another piece, with everything in it.
        let moved = try await edit(
            concert, base: 3,
            .insert(id("other"), .piece, in: .root, before: id("piece"), fields: ["name": "B, C: D"]),
            .move(id("track"), in: id("other"), before: nil))
        #expect(moved.children(of: id("piece"), .track).isEmpty)
        #expect(slides(moved) == ["c", "b", "a"])
        #expect(moved.children(of: .root, .piece).map(\.id.rawValue) == ["other", "piece"])
    }

    @Test func thereIsAlwaysRoomBetweenTwoSlides() async throws {
        let concert = try await makeConcert()
        var wanted: [String] = []
        for number in 0..<80 {
            try await edit(
                concert, base: nil,
                .insert(id("n\(number)"), .slide, in: id("track"), before: id("b"), fields: [:]))
            wanted.append("n\(number)")
        }
        #expect(slides(try await store.content(of: concert)) == ["a"] + wanted + ["b", "c"])
    }

    @Test func undoTakesBackOnesOwnNewestEditAndLeavesOthers() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .set(id("a"), field: "text", to: "Ed's"))
        try await edit(concert, base: 2, by: "Flo", .set(id("b"), field: "text", to: "Flo's"))
        try await edit(concert, base: 3, by: "Ed", .remove(id("c")))
        #expect(slides(try await store.undo(concert, by: "Ed").tree) == ["a", "b", "c"])
        var tree = try await store.undo(concert, by: "Ed").tree
        #expect(tree[id("a")]?["text"] == "one")
        #expect(tree[id("b")]?["text"] == "Flo's")
        await #expect(throws: ContentFault.nothingToUndo) { try await store.undo(concert, by: "Ed") }
        // And forward again, in order.
        #expect(try await store.redo(concert, by: "Ed").tree[id("a")]?["text"] == "Ed's")
        #expect(slides(try await store.redo(concert, by: "Ed").tree) == ["a", "b"])
        await #expect(throws: ContentFault.nothingToRedo) { try await store.redo(concert, by: "Ed") }
        // And back once more: a redo can be undone.
        #expect(slides(try await store.undo(concert, by: "Ed").tree) == ["a", "b", "c"])
        // A new edit ends what could be redone.
        try await edit(concert, base: nil, by: "Ed", .set(id("c"), field: "text", to: "another way"))
        await #expect(throws: ContentFault.nothingToRedo) { try await store.redo(concert, by: "Ed") }
        tree = try await store.content(of: concert)
        #expect(try await store.history(of: concert).count == tree.revision)
    }

    @Test func undoDoesNotOverwriteWhoCameLater() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .set(id("a"), field: "text", to: "Ed's"))
        try await edit(concert, base: 2, by: "Flo", .set(id("a"), field: "text", to: "Flo's"))
        let found = await conflicts { _ = try await store.undo(concert, by: "Ed") }
        #expect(found.map(\.theirs) == ["Flo's"])
        #expect(found.map(\.mine) == ["one"])
        #expect(found.map(\.author) == ["Flo"])
        #expect(try await store.content(of: concert)[id("a")]?["text"] == "Flo's")
    }

    @Test func undoGoesOnPastWhatItCannotTakeBack() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .set(id("b"), field: "text", to: "Ed's first"))
        try await edit(concert, base: 2, by: "Ed", .set(id("a"), field: "text", to: "Ed's second"))
        try await edit(concert, base: 3, by: "Flo", .set(id("a"), field: "text", to: "Flo's"))
        var stuck: Int?
        do { _ = try await store.undo(concert, by: "Ed") } catch ContentFault.cannotUndo(let at, _, _) {
            stuck = at
        }
        #expect(stuck == 3)
        let tree = try await store.undo(concert, by: "Ed", passing: stuck).tree
        #expect(tree[id("b")]?["text"] == "two")
        #expect(tree[id("a")]?["text"] == "Flo's")
        #expect(try await store.redo(concert, by: "Ed").tree[id("b")]?["text"] == "Ed's first")
    }

    @Test func aMoveOutOfWhatWasRemovedIsAConflictToPassToo() async throws {
        let concert = try await makeConcert()
        try await edit(
            concert, base: 1, by: "Ed",
            .insert(id("t2"), .track, in: id("piece"), before: nil, fields: ["name": "History"]),
            .set(id("b"), field: "text", to: "Ed's"))
        try await edit(concert, base: 2, by: "Ed", .move(id("a"), in: id("t2"), before: nil))
        try await edit(concert, base: 3, by: "Flo", .remove(id("track")))
        let found = await conflicts { _ = try await store.undo(concert, by: "Ed") }
        #expect(found.map(\.reason) == [.removed])
    }

    @Test func anEarlierVersionComesBackAsANewEditThatCanBeUndone() async throws {
        let concert = try await makeConcert()
        try await edit(concert, base: 1, by: "Ed", .set(id("a"), field: "text", to: "better"))
        let wanted = try await store.content(of: concert)
        try await edit(
            concert, base: 2, by: "Flo", .remove(id("b")), .set(id("a"), field: "text", to: "worse"),
            .move(id("c"), in: id("track"), before: id("a")),
            .insert(id("d"), .slide, in: id("track"), before: id("a"), fields: ["text": "more"]))
        let bad = try await store.content(of: concert)
        let past = try await store.pastEdit(of: concert, revision: 2)
        #expect(past.changes == [.wrote(id("a"), field: "text", from: "one", to: "better")])
        #expect(slides(past.tree) == ["a", "b", "c"] && past.tree[id("a")]?["text"] == "better")
        #expect(past.treeBefore[id("a")]?["text"] == "one")
        let tree = try await store.restore(concert, revision: 2, seen: 3, by: "Ed", label: "back").tree
        #expect(slides(tree) == slides(wanted))
        #expect(tree[id("a")]?.fields == wanted[id("a")]?.fields)
        let undone = try await store.undo(concert, by: "Ed").tree
        #expect(slides(undone) == slides(bad) && undone[id("a")]?["text"] == "worse")
        // One slide alone; the rest stays as it is now.
        let one = try await store.restore(
            concert, revision: 2, node: id("a"), seen: 5, by: "Ed", label: "a"
        ).tree
        #expect(one[id("a")]?["text"] == "better" && slides(one) == slides(bad))
        await #expect(throws: ContentFault.editedSince(seen: 5, newest: 6)) {
            try await store.restore(concert, revision: 1, seen: 5, by: "Flo", label: "late")
        }
        await #expect(throws: ContentFault.noSuchRevision(9, newest: 6)) {
            try await store.restore(concert, revision: 9, seen: 6, by: "Flo", label: "never")
        }
        // What is so already makes no revision.
        #expect(
            try await store.restore(concert, revision: 6, seen: 6, by: "Flo", label: "same").hasChanged
                == false)
    }

    @Test func everyRevisionOfARandomEveningIsFoundAgain() async throws {
        let concert = try await makeConcert()
        var chance = SplitMix(seed: 11)
        var kept = [1: try await store.content(of: concert)]
        func shape(_ tree: ContentTree) -> [String] {
            tree.children(of: .root, .piece).flatMap { piece in
                tree.children(of: piece.id, .track).flatMap { track in
                    [track.id.rawValue]
                        + tree.children(of: track.id, .slide).map { "\($0.id) \($0["text"])" }
                }
            }
        }
        try await edit(
            concert, base: nil, by: "Ed",
            .insert(id("t2"), .track, in: id("piece"), before: nil, fields: ["name": "History"]))
        for step in 0..<60 {
            let tree = try await store.content(of: concert)
            kept[tree.revision] = tree
            let all = ["track", "t2"].flatMap { tree.children(of: id($0), .slide) }
            let some = all.isEmpty ? nil : all[Int(chance.next() % UInt64(all.count))]
            let change: ContentChange =
                switch (chance.next() % 4, some) {
                case (0, let some?): .remove(some.id)
                case (1, let some?):
                    .move(some.id, in: id(step.isMultiple(of: 2) ? "track" : "t2"), before: nil)
                case (2, let some?): .set(some.id, field: "text", to: "text \(step)")
                default:
                    .insert(
                        id("n\(step)"), .slide, in: id("t2"),
                        before: some.flatMap { $0.parent == id("t2") ? $0.id : nil },
                        fields: ["text": "new \(step)"])
                }
            try await edit(concert, base: nil, by: "Ed", change)
            if step.isMultiple(of: 7) { _ = try await store.undo(concert, by: "Ed") }
        }
        var newest = try await store.content(of: concert).revision
        for (revision, tree) in kept.sorted(by: { $0.key > $1.key }) {
            #expect(shape(try await store.pastEdit(of: concert, revision: revision).tree) == shape(tree))
            let back = try await store.restore(
                concert, revision: revision, seen: newest, by: "Flo", label: "back")
            newest = back.tree.revision
            #expect(shape(back.tree) == shape(tree))
        }
    }

    @Test func undoingASlideDoesNotThrowAwayWhatOthersWroteOnIt() async throws {
        let concert = try await makeConcert()
        try await edit(
            concert, base: 1, by: "Ed",
            .insert(id("d"), .slide, in: id("track"), before: nil, fields: ["text": "new"]))
        // One's own work on it is no hindrance.
        try await edit(concert, base: 2, by: "Ed", .set(id("d"), field: "text", to: "newer"))
        _ = try await store.undo(concert, by: "Ed")
        #expect(slides(try await store.undo(concert, by: "Ed").tree) == ["a", "b", "c"])
        _ = try await store.redo(concert, by: "Ed")
        try await edit(concert, base: nil, by: "Flo", .set(id("d"), field: "text", to: "Flo's work"))
        let found = await conflicts { _ = try await store.undo(concert, by: "Ed") }
        #expect(found.map(\.reason) == [.edited])
        #expect(found.map(\.theirs) == ["Flo's work"])
    }

    @Test func whatWasAcknowledgedIsThereAfterARestart() async throws {
        let concert = try await makeConcert()
        let tree = try await edit(
            concert, base: 1, .set(id("a"), field: "text", to: "kept"), .remove(id("b")))
        let again = try CatalogueStore(path: folder.file)
        #expect(try await again.content(of: concert) == tree)
        #expect(try await again.servedRevision()?.revision == 2)
        #expect(try await again.concerts().map(\.title) == ["Tonight"])
        // And so is the way back.
        #expect(slides(try await again.undo(concert, by: "Ed").tree) == ["a", "b", "c"])
    }

    @Test func whatMakesNoSenseIsRefusedInASentence() async throws {
        let concert = try await makeConcert()
        await #expect(throws: ContentFault.unknownField("colour", of: .slide)) {
            try await edit(concert, base: 1, .set(id("a"), field: "colour", to: "red"))
        }
        await #expect(throws: ContentFault.wrongPlace(.slide)) {
            try await edit(
                concert, base: 1, .insert(id("x"), .slide, in: id("piece"), before: nil, fields: [:]))
        }
        await #expect(throws: ContentFault.nodeTaken("a")) {
            try await edit(
                concert, base: 1, .insert(id("a"), .slide, in: id("track"), before: nil, fields: [:]))
        }
        await #expect(throws: ContentFault.noSuchNode("ghost")) {
            try await edit(concert, base: 1, .set(id("ghost"), field: "text", to: "boo"))
        }
        await #expect(throws: ContentFault.baseTooNew(base: 9, newest: 1)) {
            try await edit(concert, base: 9, .set(id("a"), field: "text", to: "from the future"))
        }
        await #expect(throws: ContentFault.noSuchConcert(99)) {
            try await edit(99, base: nil, .set(.root, field: "title", to: "x"))
        }
        await #expect(throws: ContentFault.self) {
            try await edit(
                concert, base: 1, .set(id("a"), field: "text", to: String(repeating: "x", count: 20_001)))
        }
        #expect(try await store.content(of: concert).revision == 1)
        #expect(ContentNodeID(rawValue: "../a") == nil)
    }

    @Test func aHundredThousandSlidesAreRefusedInASentenceAndAtOnce() async throws {
        var changes: [ContentChange] = [
            .insert(id("piece"), .piece, in: .root, before: nil, fields: ["name": "B, C: D"]),
            .insert(id("track"), .track, in: id("piece"), before: nil, fields: [:]),
        ]
        for number in 0..<100_000 {
            changes.append(
                .insert(id("s\(number)"), .slide, in: id("track"), before: nil, fields: ["text": "x"]))
        }
        let made = changes
        let error = await #expect(throws: ContentFault.tooMany(.slide, count: 100_000)) {
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
        let before = picture(try await store.content(of: concert))
        var random = SplitMix(seed: seed)
        var edits = 0
        for step in 0..<80 {
            let tree = try await store.content(of: concert)
            let living = slides(tree)
            func anyone() -> ContentNodeID { id(living.randomElement(using: &random) ?? "track") }
            let change: ContentChange =
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    .insert(
                        id("r\(step)"), .slide, in: id("track"), before: living.isEmpty ? nil : anyone(),
                        fields: ["text": "\(step)"])
                case 1 where living.count > 1: .remove(anyone())
                case 2 where living.count > 1:
                    .move(
                        anyone(), in: id("track"), before: Bool.random(using: &random) ? nil : anyone())
                default: .set(anyone(), field: living.isEmpty ? "name" : "text", to: "v\(step)")
                }
            let outcome = try await store.edit(
                concert, ContentEdit(base: tree.revision, changes: [change], author: "Ed", label: "walk"))
            if outcome.hasChanged { edits += 1 }
        }
        let after = picture(try await store.content(of: concert))
        for _ in 0..<edits { _ = try await store.undo(concert, by: "Ed") }
        #expect(picture(try await store.content(of: concert)) == before)
        await #expect(throws: ContentFault.nothingToUndo) { try await store.undo(concert, by: "Ed") }
        for _ in 0..<edits { _ = try await store.redo(concert, by: "Ed") }
        #expect(picture(try await store.content(of: concert)) == after)
    }

    /// What a listener would see: the slides in order, with their texts.
    private func picture(_ tree: ContentTree) -> [[String: String]] {
        tree.children(of: id("track"), .slide).map {
            $0.fields.merging(["id": $0.id.rawValue]) { first, _ in first }
        }
    }

    @Test func theServedConcertStaysOnTheListUntilAnotherIsServed() async throws {
        let first = try await makeConcert()
        let second = try await store.makeConcert(
            [.set(.root, field: "title", to: "Tomorrow")], author: "Ed", label: "made")
        #expect(try await store.servedRevision()?.concert == first)
        await #expect(throws: ContentFault.noSuchConcert(first)) { try await store.removeConcert(first) }
        try await store.serveConcert(second)
        try await store.removeConcert(first)
        #expect(try await store.concerts().map(\.id) == [second])
        await #expect(throws: ContentFault.noSuchConcert(first)) { try await store.content(of: first) }
    }
}
