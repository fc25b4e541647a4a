import Testing

@testable import Diary

/// One work, one identity: spellings are proposed to be joined, and people with one family name stay apart.
@Suite struct DuplicateWorksTests {
    private func work(_ composer: String, _ title: String, _ count: Int = 1) -> (
        work: MusicalWork, performances: Int
    ) {
        (
            MusicalWork(
                id: MusicalWork.makeID(composer: composer, title: title), composer: composer, title: title),
            count
        )
    }

    private static let mozarts = [
        "Mozart", "Mozart, Wolfgang Amadeus", "W. A. Mozart", "Wolfgang Amadeus Mozart", "Mozart, W.A.",
        "Mozart,  Wolfgang  Amadeus", "Wolfgang Amadé Mozart", "MOZART", "Mozart, W",
    ]

    @Test func manySpellingsOfAComposerAreOnePerson() {
        let works = Self.mozarts.map { work($0, "Symphony No. 40, K. 550") }
        let keys = DuplicateWorks.composerKeys(works)
        #expect(Set(keys.values).count == 1)
        let groups = DuplicateWorks.find(works)
        #expect(groups.count == 1 && groups[0].works.count == Self.mozarts.count)
    }

    @Test func peopleOfOneFamilyStayApart() {
        let works = [
            work("Bach, Johann Sebastian", "Suite", 50), work("Bach, Johann Christian", "Suite"),
            work("Bach, C.P.E.", "Suite"), work("Mozart, Leopold", "Suite"), work("Mozart, W. A.", "Suite"),
        ]
        #expect(DuplicateWorks.find(works).isEmpty)
    }

    @Test func aFamilyNameAloneBelongsToTheOnePlayedMost() {
        let keys = DuplicateWorks.composerKeys([
            work("Strauss, Richard", "Salome", 90), work("Strauss, Johann", "Blue Danube", 9),
            work("Strauss", "Salome"),
        ])
        #expect(keys["Strauss"] == "Strauss, Richard" && keys["Strauss, Johann"] == "Strauss, Johann")
    }

    @Test(arguments: [
        ("SYMPHONY NO. 5 IN C MINOR, OP.67", "Symphony 5, opus 67", true),
        ("SYMPHONY NO. 40, K. 550", "Sinfonie g-Moll KV 550", true),
        ("QUARTET, OP. 18, NO. 1", "QUARTET, OP. 18, NO. 2", false),
        ("SLAVONIC DANCES, OP. 46", "SLAVONIC DANCES, OP. 46 (ARR. Smith)", false),
        ("THE MAGIC FLUTE: OVERTURE", "Overture, Magic Flute", true),
        ("FIDELIO", "FIDELIO OVERTURE", false),
    ])
    func worksWithOneCatalogueNumberOrTheSameWordsMayBeOne(one: String, other: String, same: Bool) {
        #expect((DuplicateWorks.key(of: one) == DuplicateWorks.key(of: other)) == same)
    }
}
