import Basics
import Concert
import Score
import Testing

@Suite struct ContentCheckTests {
    @Test func goodContentHasNoFinding() throws {
        #expect(rules(try goodPiece()).isEmpty)
    }

    @Test func aSlideTooLongForItsMeasuresIsFound() throws {
        // Four measures of two seconds: 8 s, 120 characters.
        func piece(_ count: Int) throws -> PieceContent {
            try goodPiece(tracks: [
                Track(name: "T", slides: [slide(0, String(repeating: "x", count: count)), slide(4)])
            ])
        }
        #expect(rules(try piece(120)).isEmpty)
        #expect(rules(try piece(121)) == [.slideTooLong])
        let finding = try #require(ContentCheck.findings(in: try piece(121), at: 0).first)
        #expect(
            finding.sentence
                == "There are 121 characters on slide 1 of “T” in “Weber, Oberon: Overture”, which stands 8.0 s and can "
                + "be read up to 120; shorten it or give it more measures.")
        #expect(finding.place == FindingLocation(piece: 0, track: 0, slide: 0))
    }

    @Test func theLastSlideStandsToTheEnd() throws {
        // From 10.5 s to END at 12.5 s: 30 characters.
        let track = Track(name: "T", slides: [slide(0), slide(5, String(repeating: "x", count: 31))])
        #expect(rules(try goodPiece(tracks: [track])) == [.slideTooLong])
    }

    @Test func captionsAreReadToo() throws {
        let track = Track(
            name: "T", slides: [slide(0), slide(5, "$a.png, \(String(repeating: "x", count: 31))")])
        #expect(rules(try goodPiece(tracks: [track])) == [.slideTooLong])
    }

    @Test func aMissingImageIsFoundWhereAssetsAreKnown() throws {
        let piece = try goodPiece(tracks: [Track(name: "T", slides: [slide(0, "$a.png, A")])])
        #expect(rules(piece) == [])
        #expect(rules(piece, assets: []) == [.missingImage])
        #expect(rules(piece, assets: [try AssetName("a.png")]) == [])
        let item = GlossaryItem(name: "a", category: "", description: "d", image: try AssetName("b.png"))
        #expect(rules(piece, glossary: [item], assets: [try AssetName("a.png")]) == [.missingImage])
    }

    @Test func glossaryWordsMustOccurOnceAndSaySomething() throws {
        let piece = try goodPiece()
        func item(_ name: String, _ text: String = "d") -> GlossaryItem {
            GlossaryItem(name: name, category: "c", description: text)
        }
        #expect(rules(piece, glossary: [item("horn")]) == [])
        #expect(rules(piece, glossary: [item("horns")]) == [.glossaryUnused])
        #expect(rules(piece, glossary: [item("horn"), item("Horn")]) == [.glossaryTwice])
        // The same word for listeners of another language is another entry.
        var german = item("Horn")
        german.language = .german
        #expect(rules(piece, glossary: [item("horn"), german]).contains(.glossaryTwice) == false)
        #expect(rules(piece, glossary: [item("horn", " ")]) == [.glossaryWithoutText])
    }

    @Test(arguments: [
        ("Verdi; Aida: March", FindingSeverity.error), ("Verdi;Aida", .error), ("Verdi| Aida", .warning),
    ])
    func aNameThatSeparatesIsFound(name: String, severity: FindingSeverity) throws {
        let concert = ConcertContent(title: "T", pieces: [try goodPiece(name)])
        #expect(ContentCheck.findings(in: concert).map(\.rule) == [.pieceName])
        #expect(ContentCheck.findings(in: concert).first?.severity == severity)
    }

    @Test func namesPhonesCannotTellApartAreFound() throws {
        func found(_ names: String...) throws -> [ContentRule] {
            ContentCheck.findings(in: ConcertContent(title: "T", pieces: try names.map { try goodPiece($0) }))
                .map(\.rule)
        }
        #expect(try found("A, B: 1", "A, B: 1") == [.sameName])
        #expect(try found("A, B: 1", "A,B: 1.") == [.sameFolder])
        #expect(try found("A, B: 1", "A, B: 2") == [])
    }

    @Test func structureFaultsAreFound() throws {
        func section(_ played: Int?, _ colour: String = "red", _ label: String = "L") -> ContentSection {
            let place =
                played.map { measurePlace($0) }
                ?? MeasureAnchor(printed: 77, played: nil, time: .init(seconds: 1))
            return ContentSection(label: label, colour: .webColourName(colour), place: place)
        }
        let end = MeasureAnchor(printed: 4, played: 5, time: ReferenceTime(seconds: 12.5))
        func found(_ sections: [ContentSection], _ end: MeasureAnchor?) throws -> [ContentRule] {
            rules(try goodPiece(structure: EditedPieceStructure(sections: sections, end: end)))
        }
        #expect(try found([section(0)], end) == [])
        #expect(try found([section(0)], nil) == [.structureWithoutEnd])
        #expect(try found([section(2), section(0)], end) == [.structureOrder])
        #expect(try found([section(3)], measurePlace(2)) == [.structureOrder])
        #expect(try found([section(nil)], end) == [.unknownMeasure])
        #expect(try found([section(0)], section(nil).place) == [.unknownMeasure])
        #expect(try found([section(0, "reddish")], end) == [.colour])
        #expect(try found([section(0, "red", " ")], end) == [.emptyLabel])
        #expect(try found([], nil) == [])
    }

    @Test func slidesOutsideTheMusicAreFound() throws {
        func found(_ printed: Int, _ played: Int?, _ seconds: Double) throws -> [ContentRule] {
            let place = MeasureAnchor(printed: printed, played: played, time: ReferenceTime(seconds: seconds))
            return rules(
                try goodPiece(tracks: [Track(name: "T", slides: [Slide(place: place, text: SlideText("x"))])])
            )
        }
        #expect(try found(1, 0, -2) == [.outsideTheMusic])
        #expect(try found(4, 5, 15) == [.outsideTheMusic])
        #expect(try found(9, nil, 5) == [.unknownMeasure])
        #expect(try found(2, 1, 5) == [.timeAtOdds])
        // A whole second, as existing content rounds.
        #expect(try found(2, 1, 3) == [])
    }

    @Test func slidesThatHideOneAnotherAreFound() throws {
        #expect(
            rules(try goodPiece(tracks: [Track(name: "T", slides: [slide(2), slide(2)])])) == [.sameMeasure])
        #expect(
            rules(try goodPiece(tracks: [Track(name: "T", slides: [slide(3), slide(0)])])) == [.slideOrder])
        #expect(rules(try goodPiece(tracks: [Track(name: "T", slides: [slide(0, " ")])])) == [.emptySlide])
    }

    @Test func tracksWithoutSlidesOrWithWrongNamesAreFound() throws {
        #expect(rules(try goodPiece(tracks: [])) == [.noTracks])
        #expect(rules(try goodPiece(tracks: [Track(name: "T")])) == [.emptyTrack])
        #expect(rules(try goodPiece(tracks: [Track(name: "Structure", slides: [slide(0)])])) == [.trackName])
        #expect(rules(try goodPiece(tracks: [Track(name: "", slides: [slide(0)])])) == [.trackName])
        let twice = Track(name: "T", slides: [slide(0)])
        #expect(rules(try goodPiece(tracks: [twice, twice])) == [.trackName])
    }

    @Test func aLanguageThatLacksATrackIsFound() throws {
        func track(_ name: String, _ language: Language?, _ subject: String?) -> Track {
            Track(name: name, language: language, subject: subject, slides: [slide(0)])
        }
        let music = track("The Music", .english, "music")
        let musik = track("Die Musik", .german, "music")
        let history = track("History", .english, "history")
        #expect(rules(try goodPiece(tracks: [music, musik])) == [])
        #expect(rules(try goodPiece(tracks: [music, history])) == [])
        #expect(rules(try goodPiece(tracks: [music, musik, history])) == [.languageGap])
        #expect(rules(try goodPiece(tracks: [music, musik, track("Notes", nil, "notes")])) == [])
        // Each language has its own names.
        let plain = [track("The Music", .english, nil), track("Die Musik", .german, nil)]
        #expect(rules(try goodPiece(tracks: plain)) == [])
        #expect(rules(try goodPiece(tracks: [history, plain[1]])) == [])
        let both = try goodPiece(tracks: plain), one = try goodPiece(tracks: [plain[0]])
        let concert = ConcertContent(title: "Evening", pieces: [both, one])
        #expect(
            ContentCheck.findings(in: concert).filter { $0.rule == .languageGap }.map(\.place.piece) == [1])
    }

    @Test func measuresThatCannotBeAreFound() throws {
        var piece = try goodPiece()
        piece.measureCount = 9
        #expect(rules(piece) == [.measureCount])
        piece.measureCount = 4
        #expect(rules(piece) == [])
        piece.measures = []
        #expect(rules(piece).contains(.noMeasures))
        piece.measures = sixMarks.reversed()
        #expect(rules(piece).contains(.measuresNotRising))
    }

    @Test func aDateIsADate() throws {
        func found(_ date: String) -> [ContentRule] {
            ContentCheck.findings(in: ConcertContent(title: "T", date: date)).map(\.rule)
        }
        for good in ["2026", "2026-06", "2026-06-21", "2028-02-29", "2000-02-29"] {
            #expect(found(good) == [])
        }
        for wrong in [
            "", "June", "2026-13", "2026-06-32", "26-06-21", "2026-06-21-1", "2026-6-1", "2026-02-30",
            "2026-04-31", "2100-02-29", "2026-06-00",
        ] {
            #expect(found(wrong) == [.date])
        }
    }

    @Test func everyFindingIsASentence() throws {
        var piece = try goodPiece(
            "A;B", tracks: [Track(name: "NumSeconds", slides: [slide(3), slide(0, ""), slide(0)])])
        piece.structure.end = nil
        piece.measureCount = 99
        let findings = ContentCheck.findings(
            in: ConcertContent(
                title: "T", date: "x", pieces: [piece, piece],
                glossary: Glossary(items: [GlossaryItem(name: "q", category: "", description: "")])),
            assets: [])
        #expect(findings.count > 12)
        for finding in findings {
            #expect(
                finding.sentence.hasSuffix(".") && finding.sentence.contains(";")
                    || finding.rule == .pieceName)
        }
        #expect(FindingSeverity.hint < .warning && FindingSeverity.warning < .error)
    }

    @Test func thirtyThousandSlidesAreCheckedInAWhile() throws {
        let slides = (0..<30_000).map { _ in slide(3, "horn and coda") }
        let piece = try goodPiece(tracks: [Track(name: "T", slides: slides)])
        let took = ContinuousClock().measure {
            _ = rules(piece, glossary: [GlossaryItem(name: "coda", category: "", description: "d")])
        }
        // A debug build on a busy machine; a square of the slides would take an hour.
        #expect(took < .seconds(60))
    }
}
