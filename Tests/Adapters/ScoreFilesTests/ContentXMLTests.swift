import Basics
import Platform
import Score
import Testing

@testable import ScoreFiles

@Suite struct ContentXMLTests {
    @Test func theTrackOfMeasuresIsRead() throws {
        let times = try read(Fixture.content)
        #expect(times.format == .content)
        #expect(times.marks == Fixture.sixMeasures)
        #expect(times.lineNumbers == [7, 8, 9, 10, 11, 12])
        #expect(times.end == ReferenceTime(seconds: 12))
        #expect(times.composer == "Weber")
        #expect(times.title == "Oberon: Ouvertüre & Marsch")
        #expect(times.readingWarnings == ["The end is that of the Structure track."])
    }

    @Test func oddThingsAreNoted() throws {
        let times = try read(piece("A, B: C", pages: [("1", "1.5"), ("2", "2.5")], measures: "9", text: "7"))
        #expect(times.marks == marks([(1, 1.5), (2, 2.5)]))
        #expect(
            times.readingWarnings == [
                "Time and text of some pages differ: the time was taken.",
                "The piece claims 9 measures, its NumSeconds track has 2.",
            ])
    }

    @Test func aPieceAmongSeveralIsChosenByName() throws {
        let both = concert([
            ("Strauss, Don Juan: Don Juan", [("1", "1.5")]), ("Higdon, Concerto: Mvt 3", [("23", "2.5")]),
        ])
        #expect(try read(both, piece: "higdon,Concerto:Mvt 3").marks == marks([(23, 2.5)]))
        let names = ["Strauss, Don Juan: Don Juan", "Higdon, Concerto: Mvt 3"]
        #expect(throws: MeasureTimesError.severalPieces(path: "times", names: names)) { try read(both) }
        #expect(throws: MeasureTimesError.noSuchPiece(path: "times", wanted: "Nobody", names: names)) {
            try read(both, piece: "Nobody")
        }
    }

    @Test func missingAndWrongValuesAreNamedByLine() {
        #expect(throws: xml(1, .notATime("soon"))) { try read(piece("A", pages: [("1", "soon")])) }
        #expect(throws: xml(1, .notATime("1,5"))) { try read(piece("A", pages: [("1", "1,5")])) }
        #expect(throws: xml(1, .notAMeasureNumber("one"))) { try read(piece("A", pages: [("one", "1")])) }
        #expect(throws: xml(2, .missingElement(element: "measure", in: "page"))) {
            try read(
                "<concert><piece><track><name>NumSeconds</name>\n<page><time>1</time></page></track></piece></concert>"
            )
        }
        #expect(throws: xml(2, .missingElement(element: "time", in: "page"))) {
            try read(
                "<concert><piece><track><name>NumSeconds</name>\n<page><measure>1</measure></page></track></piece></concert>"
            )
        }
        #expect(throws: MeasureTimesError.noMeasureTrack(path: "times", piece: "A")) {
            try read("<concert><piece><name>A</name></piece></concert>")
        }
        #expect(throws: MeasureTimesError.noMeasures(path: "times")) { try read("<concert/>") }
        #expect(throws: MeasureTimesError.noMeasures(path: "times")) {
            try read("<concert><piece><track><name>NumSeconds</name></track></piece></concert>")
        }
    }

    @Test func aTruncatedFileIsNotAShortOne() {
        let cut = String(Fixture.content.dropLast(14))
        #expect(throws: xml(21, .unreadable(.endsTooEarly))) { try read(cut) }
    }

    @Test func documentTypesEntitiesAndOtherEncodingsAreRefusedUnseen() {
        let bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE concert [<!ENTITY a \"b\">]><concert>&a;</concert>"
        #expect(throws: xml(2, .unreadable(.forbiddenMarkup("<!DOCTYPE")))) { try read(bomb) }
        #expect(throws: xml(1, .unreadable(.notWellFormed))) {
            try read("<concert><!ENTITY a 'b'></concert>", as: .content)
        }
        #expect(throws: xml(2, .unreadable(.forbiddenMarkup("<?")))) {
            try read("<concert>\n<?x?></concert>")
        }
        for text in ["\n<?xml?><concert/>", "\n<?xml<concert/>"] {
            #expect(throws: xml(2, .unreadable(.notWellFormed))) { try read(text) }
        }
        #expect(throws: xml(2, .unreadable(.notUTF8))) {
            try MeasureTimesFileReader.parse(
                Array("<concert>\n<ti".utf8) + [0xC0] + Array("me/></concert>".utf8), path: "times")
        }
        #expect(throws: xml(1, .unreadable(.unsupportedEncoding("UTF-7")))) {
            try read("<?xml version='1.0' encoding='UTF-7'?><concert/>")
        }
        #expect(throws: xml(1, .unreadable(.unsupportedEncoding("unquoted")))) {
            try read("<?xml version='1.0' encoding=unquoted?><concert/>")
        }
    }

    /// Scores of notation programs name a document type; nothing that it names is loaded or left out in silence.
    @Test func whereADocumentTypeIsPassedOverNothingIsDeclaredAndNoEntityIsDropped() throws {
        func parse(_ text: String) throws(XMLFault) -> XMLNode {
            try .parse(
                Array(text.utf8), within: XMLBounds(bytes: 1_000, elements: 10, depth: 5, isLenient: true))
        }
        let root = try parse("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><?x y?><a b='1 &amp; 2'> c &lt; d </a>")
        #expect(root.text == "c < d" && root.attributes == ["b": "1 & 2"])
        for text in ["<a>&e;</a>", "<a b='&e;'/>"] {
            #expect {
                try parse("<!DOCTYPE a SYSTEM 'file:///etc/passwd'>\n\(text)")
            } throws: { ($0 as? XMLFault)?.line == 2 && ($0 as? XMLFault)?.reason == .notWellFormed }
        }
        for declaration in [
            "ENTITY e 'x'", "ENTITY % e SYSTEM 'file:///etc/passwd'", "ATTLIST a b CDATA 'x'",
        ] {
            #expect(throws: XMLFault.self) { try parse("<!DOCTYPE a [<!\(declaration)>]><a/>") }
        }
    }

    @Test func depthCountAndLengthAreBounded() {
        let deep = "<concert>" + String(repeating: "<a>", count: 300_000)
        #expect(throws: xml(1, .unreadable(.tooDeep(limit: MeasureTimesLimits.xmlDepth)))) { try read(deep) }
        let long = String(repeating: "x", count: MeasureTimesLimits.xmlElementBytes + 1)
        #expect(throws: xml(1, .unreadable(.tooMuchText(bytes: MeasureTimesLimits.xmlElementBytes)))) {
            try read("<concert><piece><name>\(long)</name></piece></concert>")
        }
        let many =
            "<concert>" + String(repeating: "<a/>", count: MeasureTimesLimits.xmlElements + 1) + "</concert>"
        #expect(throws: xml(1, .unreadable(.tooManyElements(limit: MeasureTimesLimits.xmlElements)))) {
            try read(many)
        }
        let large = "<concert>" + String(repeating: " ", count: MeasureTimesLimits.xmlBytes)
        #expect(throws: MeasureTimesError.tooLarge(path: "times", limitBytes: MeasureTimesLimits.xmlBytes)) {
            try read(large)
        }
    }

    @Test func anotherRootIsRefused() {
        #expect(throws: xml(1, .unreadable(.wrongRootElement(found: "html", expected: "concert")))) {
            try read("<html><concert/></html>")
        }
        #expect(throws: xml(1, .unreadable(.notWellFormed))) { try read("<concert><a></b></concert>\n\n") }
    }

    private func piece(
        _ name: String, pages: [(measure: String, time: String)], measures: String = "", text: String? = nil
    ) -> String {
        concert([(name, pages)], measures: measures, text: text)
    }

    private func concert(
        _ pieces: [(name: String, pages: [(measure: String, time: String)])], measures: String = "",
        text: String? = nil
    ) -> String {
        "<concert>"
            + pieces.map { piece in
                "<piece><name>\(piece.name)</name><measures>\(measures)</measures><track>"
                    + piece.pages.map {
                        "<page><time>\($0.time)</time><measure>\($0.measure)</measure>"
                            + "<text>\(text ?? $0.time)</text></page>"
                    }.joined() + "<name>NumSeconds</name></track></piece>"
            }.joined() + "</concert>"
    }
}
