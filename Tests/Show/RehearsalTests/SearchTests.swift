import Rehearsal
import Testing

@Suite struct SearchTests {
    private func marked(_ keyword: String, _ text: String) -> String? {
        Keyword(keyword).find(in: [text])?.first.map { found in
            found.pieces.map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined()
        }
    }

    @Test func matchesAreFoundWhateverTheirCapitalsAndAccents() {
        #expect(marked("dvorak", "Antonín Dvořák") == "Antonín [Dvořák]")
        #expect(marked("DVOŘÁK", "dvorak") == "[dvorak]")
        #expect(marked("e\u{301}te", "L’été") == "L’[été]")
        #expect(marked("ete", "L’e\u{301}te\u{301}") == "L’[e\u{301}te\u{301}]")
        #expect(marked("strasse", "Königstraße 7") == "König[straße] 7")
        #expect(marked("чайков", "П. И. ЧАЙКОВСКИЙ") == "П. И. [ЧАЙКОВ]СКИЙ")
        #expect(marked("viet", "Việt Nam") == "[Việt] Nam")
        #expect(marked("l'ete", "L’été") == "[L’été]")
    }

    @Test func partsOfWordsAndSeveralWordsAreFound() {
        #expect(marked("an", "Anna and Hans") == "[An]na [an]d H[an]s")
        #expect(marked("no 5 sym", "Symphony No. 5") == "[Sym]phony [No]. [5]")
        #expect(marked("aa", "aaaaa") == "[aaaa]a")
        #expect(marked("xyz", "Symphony") == nil)
        #expect(marked("  ", "Symphony") == "Symphony")
    }

    @Test func everyWordMayBeInAnotherField() throws {
        let found = try #require(
            Keyword("muller sinfonie").find(in: ["Sinfonie", "Dvořák", "", "J. Müller"]))
        #expect(found.map(\.hasMatch) == [true, false, false, true])
    }

    @Test func scoresAreListedOnlyWhereALibrarianGaveThem() throws {
        let given = try symphony()
        let other = try Score(id: id(51), title: "Secret", movements: given.movements, parts: given.parts)
        let third = try Score(
            id: id(52), title: "Ode", composer: "Paul Jackson", movements: given.movements, parts: given.parts
        )
        let bundles = [given, third].enumerated().map {
            Rehearsal.Bundle(id: id(UInt64($0.offset)), user: bert.user, score: $0.element.id)
        }
        let all = ScoreLists(
            of: bert.user, scores: [given, other, third], bundles: bundles, downloaded: [third.id, other.id])
        #expect(all.downloadable.map(\.id) == [given.id])
        #expect(all.downloaded.map(\.id) == [third.id])
        let some = ScoreLists(
            of: bert.user, scores: [given, other, third], bundles: bundles, downloaded: [],
            keyword: Keyword("jack"))
        #expect(some.downloadable.map(\.id) == [third.id])
        #expect(some.downloadable[0].composer.pieces.map(\.text) == ["Paul ", "Jack", "son"])
        #expect(
            ScoreLists(of: carl.user, scores: [given, other, third], bundles: bundles, downloaded: [])
                == ScoreLists(of: carl.user, scores: [], bundles: [], downloaded: []))
    }

    @Test func roomsAreThreeLists() throws {
        func room(_ number: UInt64, _ name: String, owner: Member, published: Bool = true) throws -> RoomState
        {
            RoomState(
                room: try Room(
                    id: id(number), score: scoreID, name: name, passkeyHash: nil, owner: owner.user,
                    isPublished: published), owner: id(20), ownerName: owner.name, pageCounts: [4])
        }
        var joined = try room(3, "Übung", owner: anna)
        _ = try joined.take(RoomEvent(id: id(1), act: .join(id(22))), by: bert, at: .zero)
        let rooms = [
            try room(1, "mine, being prepared", owner: bert, published: false),
            try room(2, "Other", owner: anna),
            joined, try room(4, "Hidden", owner: anna, published: false),
        ]
        let bundles = [Rehearsal.Bundle(id: id(1), user: bert.user, score: scoreID)]
        let lists = RoomLists(of: bert.user, rooms: rooms, bundles: bundles)
        #expect(lists.owned.map(\.id) == [id(1)])
        #expect(lists.joined.map(\.id) == [id(3)])
        #expect(lists.notJoined.map(\.id) == [id(2)])
        let found = RoomLists(of: bert.user, rooms: rooms, bundles: bundles, keyword: Keyword("ubung"))
        #expect(found.joined.map(\.name.hasMatch) == [true])
        #expect(found.owned.isEmpty && found.notJoined.isEmpty)
        let none = RoomLists(of: bert.user, rooms: rooms, bundles: [])
        #expect(none.owned.isEmpty && none.joined.isEmpty && none.notJoined.isEmpty)
    }
}
