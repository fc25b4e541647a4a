import Concert
import Testing

@testable import ScoreFiles

/// Nothing of an imported file is dropped without a word.
@Suite struct InnerMarkupTests {
    private static let page =
        "<page>\n<time>0.5</time><measure>1</measure><text>0.5</text></page>"

    private static func content(page: String = page, more: String = "") -> String {
        "<concert>\n<piece><name>A, B: C</name><measures>1</measures>\n<track><name>NumSeconds</name>\(page)</track>"
            + "\n<track><name>T</name><page><time>0.5</time><measure>1</measure>\n<text>Hello</text></page></track>"
            + "\(more)</piece></concert>"
    }

    private func fault(_ text: String) -> (line: Int, fault: ContentFileError.XMLFault)? {
        do throws(ContentFileError) {
            _ = try ContentXMLReader.readPieces(in: Array(text.utf8), path: "p")
        } catch {
            if case .invalidXML(_, let line, let fault) = error { return (line, fault) }
        }
        return nil
    }

    @Test func markupWithinWordsIsRefusedWithItsPlace() throws {
        let text = Self.content().replacing("Hello", with: "Hello <b>bold</b> world")
        let found = try #require(fault(text))
        #expect(found.line == 6 && found.fault == .elementInsideText(element: "b", in: "text"))
        for (old, new, parent) in [
            ("<name>A, B: C", "<name>A<i/>, B: C", "name"), ("<measure>1", "<measure><x/>1", "measure"),
            ("<time>0.5", "<time>0<x/>.5", "time"), ("<measures>1", "<measures>1<x/>", "measures"),
        ] {
            let broken = Self.content().replacing(old, with: new, maxReplacements: 1)
            guard case .elementInsideText(_, let found)? = fault(broken)?.fault else {
                Issue.record("\(new) was taken")
                continue
            }
            #expect(found == parent)
        }
    }

    @Test func whatHasNoMeaningHereIsRefusedWithItsPlace() throws {
        #expect(
            fault(Self.content(more: "<composer>X</composer>"))?.fault
                == .unknownElement(element: "composer", in: "piece"))
        #expect(fault(Self.content(more: "stray words"))?.fault == .strayText("stray words", in: "piece"))
        let twice = Self.content().replacing("<text>Hello</text>", with: "<text>Hello</text><text>you</text>")
        #expect(fault(twice)?.fault == .duplicateElement(element: "text", in: "page"))
    }

    @Test func wordsInSectionsOfCharactersAndEscapedMarkupAreKept() throws {
        let text = Self.content().replacing("Hello", with: "Hello <![CDATA[<b>bold</b>]]> &lt;i&gt;")
        let read = try ContentXMLReader.readPieces(in: Array(text.utf8), path: "p")
        #expect(read.pieces[0].tracks[0].slides[0].text.writtenText == "Hello <b>bold</b> <i>")
    }

    @Test func aGlossaryIsHeldToTheSame() {
        func refused(_ item: String) -> Bool {
            (try? GlossaryReader.readGlossary(in: Array("<glossary>\(item)</glossary>".utf8), path: "g"))
                == nil
        }
        let item = { (words: String) in
            "<item name='A' category='B'><description>\(words)</description></item>"
        }
        #expect(!refused(item("plain &amp; simple")))
        #expect(refused(item("an <em>emphasis</em>")))
        #expect(refused(item("x") + "<word/>"))
        #expect(refused("<item name='A'><picture/></item>"))
        #expect(refused("<item name='A'>words</item>"))
    }

    @Test func measureTimesAreNotReadPastMarkup() {
        let text = Self.content(page: Self.page.replacing("<measure>1<", with: "<measure>1<b/>2<"))
        #expect(
            throws: MeasureTimesError.invalidXML(
                path: "p", line: 4, fault: .elementInsideText(element: "b", in: "measure"))
        ) {
            try MeasureTimesFileReader.parse(Array(text.utf8), path: "p")
        }
    }

    // MARK: Encodings

    private static let words = "Fauré: Élégie, für Größe"

    private func text(_ bytes: [UInt8]) throws -> String {
        try ContentXMLReader.readPieces(in: bytes, path: "p").pieces[0].tracks[0].slides[0].text.writtenText
    }

    private func declared(_ encoding: String?) -> String {
        (encoding.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>\n" } ?? "")
            + Self.content().replacing("Hello", with: Self.words)
    }

    private func utf16(_ text: String, big: Bool, mark: Bool = true) -> [UInt8] {
        ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
            big ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
    }

    private func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    @Test func isoLatin1AndUTF16AreReadAsDeclared() throws {
        #expect(try text(latin1(declared("ISO-8859-1"))) == Self.words)
        #expect(try text(latin1(declared("iso-8859-1"))) == Self.words)
        for big in [true, false] {
            for encoding in ["UTF-16", "utf-16", nil] {
                #expect(try text(utf16(declared(encoding), big: big)) == Self.words)
            }
            let named = declared(big ? "UTF-16BE" : "UTF-16LE")
            #expect(try text(utf16(named, big: big, mark: false)) == Self.words)
            let times = try MeasureTimesFileReader.parse(utf16(declared("UTF-16"), big: big), path: "p")
            #expect(times.marks.count == 1)
        }
        #expect(try text(Array(declared("UTF-8").utf8)) == Self.words)
    }

    @Test func bytesThatAreNotWhatIsDeclaredAreRefusedWithASentence() throws {
        func sentence(_ bytes: [UInt8]) -> String? {
            do throws(ContentFileError) {
                _ = try ContentXMLReader.readPieces(in: bytes, path: "p")
                return nil
            } catch {
                return error.sentence
            }
        }
        let windows = latin1(declared("ISO-8859-1")).map { $0 == UInt8(ascii: ":") ? 0x97 : $0 }
        for (bytes, word) in [
            (Array(declared("ISO-8859-1").utf8), "UTF-8"), (windows, "windows-1252"),
            (Array(declared("UTF-16").utf8), "single bytes"),
            (utf16(declared("UTF-8"), big: false), "UTF-16"),
            (utf16(declared("ISO-8859-1"), big: true), "UTF-16"), (latin1(declared("UTF-8")), "not UTF-8"),
            (latin1(declared(nil)), "not UTF-8"), (Array(declared("KOI8-R").utf8), "KOI8-R"),
            (utf16(declared("UTF-16"), big: true) + [0], "broken"),
            (utf16(declared("UTF-16"), big: true) + [0xD8, 0], "broken"),
            ([0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0], "UTF-32"),
        ] {
            let said = try #require(sentence(bytes), "taken, though \(word)")
            #expect(said.hasPrefix("p, line") && said.contains(word), "\(said)")
        }
    }

    @Test func whatIsForbiddenIsFoundInEveryEncoding() {
        let evil = "<!DOCTYPE concert [<!ENTITY a \"b\">]>" + Self.content()
        #expect(
            throws: ContentFileError.invalidXML(
                path: "p", line: 1, fault: .unreadable(.forbiddenMarkup("<!DOCTYPE")))
        ) {
            try ContentXMLReader.readPieces(in: utf16(evil, big: false), path: "p")
        }
    }

    @Test func whatGrowsBeyondTheParsersLimitIsRefused() {
        let long = String(repeating: "é", count: MeasureTimesLimits.xmlBytes / 2 + 100)
        let bytes = latin1("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<concert>\(long)</concert>")
        #expect(throws: ContentFileError.tooLarge(path: "p", limitBytes: MeasureTimesLimits.xmlBytes)) {
            try ContentXMLReader.readPieces(in: bytes, path: "p")
        }
    }
}
