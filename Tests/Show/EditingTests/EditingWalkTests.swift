import Basics
import Editing
import Testing

/// Two people edit one document, each from what they saw last.
@Suite struct EditingWalkTests {
    private static let walks: Range<UInt64> = 0..<60
    private static let steps = 150
    private static let fields = ["title", "place", "note"]

    private typealias Document = [String: Int]
    private let empty = Document(uniqueKeysWithValues: fields.map { ($0, 0) })

    /// A change of a field, and what became of it.
    private struct Made {
        var field: String
        var change: ValueChange<Int>
    }

    /// Makes a change of a field unless somebody else has changed the same; then gives what is there.
    private func edit(_ document: inout Document, _ field: String, _ change: ValueChange<Int>) -> (
        EditVerdict, theirs: Int?
    ) {
        let present = document[field] ?? 0
        let verdict = change.verdict(on: present)
        if verdict == .isMade { document[field] = change.to }
        return (verdict, verdict == .conflicts ? present : nil)
    }

    @Test(arguments: walks) func editsOfTwoPeopleInAnyOrderAreTakenBackByTheirInverses(seed: UInt64) {
        var random = SeededRandomGenerator(seed: seed)
        var (document, views, made) = (empty, [empty, empty], [Made]())
        for _ in 0..<Self.steps {
            let who = Int.random(in: 0..<2, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 { views[who] = document }
            let field = Self.fields.randomElement(using: &random) ?? ""
            let change = ValueChange(
                from: views[who][field] ?? 0, to: Int.random(in: 0..<5, using: &random))
            let before = document
            let (verdict, theirs) = edit(&document, field, change)
            switch verdict {
            case .isMade:
                made.append(Made(field: field, change: change))
                #expect(edit(&document, field, change).0 == .isDone, "sent twice it is made once")
            case .isDone: #expect(document == before && before[field] == change.to)
            case .conflicts:
                #expect(document == before, "nothing is overwritten")
                #expect(theirs == before[field] && theirs != change.from, "what differs is named")
            }
            views[who][field] = document[field]
        }
        for one in made.reversed() {
            #expect(edit(&document, one.field, one.change.inverse).0 == .isMade)
        }
        #expect(document == empty)
    }

    @Test(arguments: walks) func editsOfDifferentFieldsCombineInAnyOrder(seed: UInt64) {
        var random = SeededRandomGenerator(seed: seed)
        let edits = Self.fields.flatMap { field in
            (0..<6).map { Made(field: field, change: ValueChange(from: $0, to: $0 + 1)) }
        }
        func make(_ edits: [Made]) -> Document {
            var document = empty
            for one in edits { #expect(edit(&document, one.field, one.change).0 == .isMade) }
            return document
        }
        // Any interleaving that keeps the order within each field.
        var rest = Dictionary(grouping: edits, by: \.field)
        var mixed: [Made] = []
        while let field = rest.filter({ !$0.value.isEmpty }).keys.sorted().randomElement(using: &random) {
            mixed.append(rest[field]?.removeFirst() ?? edits[0])
        }
        #expect(make(mixed) == make(edits))
    }

    @Test(arguments: walks) func nobodyReplacesADocumentThatTheyHaveNotSeen(seed: UInt64) {
        var random = SeededRandomGenerator(seed: seed)
        var document = WholeDocument<Int>()
        var views = [document, document]
        for _ in 0..<Self.steps {
            let who = Int.random(in: 0..<2, using: &random)
            if Int.random(in: 0..<3, using: &random) == 0 { views[who] = document }
            let new = Int.random(in: 0..<5, using: &random) == 0 ? nil : Int.random(in: 0..<4, using: &random)
            let (before, seen) = (document, views[who].content == nil ? 0 : views[who].revision)
            switch document.replace(by: new, after: seen) {
            case .isDone: #expect(document == before && before.content == new)
            case .isMade:
                #expect(document.content == new && document.revision == before.revision + 1)
                #expect(views[who].content == nil ? before.content == nil : views[who] == before)
                let again = document
                #expect(document.replace(by: new, after: seen) == .isDone && document == again)
                views[who] = document
            case .conflicts: #expect(document == before && views[who] != before)
            }
        }
    }
}
