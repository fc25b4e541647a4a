import Concert
import Testing

@testable import ScoreFiles

/// Every reader returns or throws its error, whatever the bytes; reaching the end of each test is the claim.
@Suite struct HostileContentTests {
    @Test func noTruncationIsTakenForTheWhole() throws {
        let bytes = Array(ContentReaderTests.described.utf8)
        let end = bytes.count - 1  // Without the last line end it is still whole.
        for count in 0..<end {
            #expect(throws: ContentFileError.self) {
                try ContentXMLReader.readPieces(in: Array(bytes[..<count]), path: "cut")
            }
        }
        #expect(try ContentXMLReader.readPieces(in: Array(bytes[..<end]), path: "whole").pieces.count == 1)

        let glossary = Array(GlossaryReaderTests.described.utf8)
        for count in 0..<glossary.count - 1 {
            #expect(throws: ContentFileError.self) {
                try GlossaryReader.readGlossary(in: Array(glossary[..<count]), path: "cut")
            }
        }
    }

    @Test func everyChangedByteIsReadOrRefused() {
        let bytes = Array(ContentReaderTests.described.utf8)
        var refused = 0
        for index in bytes.indices {
            for replacement: UInt8 in [0x00, 0x3C, 0x26, 0xFF, 0x22] {
                var mutant = bytes
                mutant[index] = replacement
                do throws(ContentFileError) {
                    let read = try ContentXMLReader.readPieces(in: mutant, path: "mutant")
                    // Accepted content can be judged, written and read again.
                    for (number, piece) in read.pieces.enumerated() where index % 16 == 0 {
                        _ = ContentCheck.findings(in: piece, at: number)
                        let again = try ContentXMLReader.readPieces(
                            in: ContentXMLWriter.writeConcert([piece]), path: "again")
                        #expect(again.pieces == [piece])
                    }
                } catch {
                    refused += 1
                    #expect(error.sentence.hasPrefix("mutant"))
                }
            }
        }
        #expect(refused > bytes.count)
    }

    @Test(arguments: [
        (
            "<?xml version=\"1.0\"?>\n<!DOCTYPE concert [<!ENTITY a \"b\">]><concert>&a;</concert>",
            "<!DOCTYPE"
        ),
        ("<!DOCTYPE concert SYSTEM \"http://127.0.0.1/x\"><concert/>", "<!DOCTYPE"),
        ("<concert><?php echo 1 ?></concert>", "<?"),
    ])
    func documentTypesAndInstructionsAreRefusedUnseen(text: String, markup: String) {
        let line = text.hasPrefix("<?xml") ? 2 : 1
        #expect(
            throws: ContentFileError.invalidXML(
                path: "p", line: line, fault: .unreadable(.forbiddenMarkup(markup)))
        ) {
            try ContentXMLReader.readPieces(in: Array(text.utf8), path: "p")
        }
    }

    @Test func depthCountLengthAndEncodingAreBounded() {
        func fault(_ text: String) -> ContentFileError.XMLFault? {
            do throws(ContentFileError) {
                _ = try ContentXMLReader.readPieces(in: Array(text.utf8), path: "p")
                return nil
            } catch {
                if case .invalidXML(_, _, let fault) = error { return fault }
                return nil
            }
        }
        #expect(
            fault("<concert>" + String(repeating: "<a>", count: 100_000))
                == .unreadable(.tooDeep(limit: MeasureTimesLimits.xmlDepth)))
        #expect(
            fault(
                "<concert>" + String(repeating: "<a/>", count: MeasureTimesLimits.xmlElements) + "</concert>")
                == .unreadable(.tooManyElements(limit: MeasureTimesLimits.xmlElements)))
        for before in ["", "<!-- <a b=' -->", "<![CDATA[<a b=']]>"] {
            let attributes = (0...MeasureTimesLimits.xml.attributes).map { " a\($0)=''" }.joined()
            #expect(
                fault("<concert>\(before)<piece\(attributes)/></concert>")
                    == .unreadable(.tooManyAttributes(limit: MeasureTimesLimits.xml.attributes)))
        }
        let long = String(repeating: "x", count: MeasureTimesLimits.xmlElementBytes + 1)
        #expect(
            fault("<concert><piece><name>\(long)</name></piece></concert>")
                == .unreadable(.tooMuchText(bytes: MeasureTimesLimits.xmlElementBytes)))
        #expect(
            fault("<?xml version='1.0' encoding='UTF-16'?><concert/>")
                == .unreadable(.encodingMismatch(declared: "UTF-16", found: "text of single bytes")))
        #expect(fault("<concert>&lost;</concert>") == .unreadable(.notWellFormed))
        #expect(fault("<concert><piece>") == .unreadable(.endsTooEarly))
        #expect(throws: ContentFileError.tooLarge(path: "p", limitBytes: MeasureTimesLimits.xmlBytes)) {
            try ContentXMLReader.readPieces(
                in: [UInt8](repeating: 0x20, count: MeasureTimesLimits.xmlBytes + 1), path: "p")
        }
    }

    @Test func aSupplementThatIsNoneIsRefused() {
        for text in [
            "", "{", "[]", "{\"name\":\"\"}",
            "{\"name\":\"A\",\"tracks\":[],\"keys\":[{\"section\":\"a\",\"measure\":1,\"key\":\"H major\"}]}",
            "{\"name\":\"A\",\"tracks\":[{\"name\":\"T\",\"language\":\"../..\"}],\"keys\":[]}",
            String(repeating: "[", count: 100_000),
        ] {
            #expect(throws: ContentFileError.self) {
                try SupplementJSONCoder.decodeSupplement(in: Array(text.utf8), path: "s")
            }
        }
        #expect(throws: ContentFileError.tooLarge(path: "s", limitBytes: SupplementJSONCoder.limitBytes)) {
            try SupplementJSONCoder.decodeSupplement(
                in: [UInt8](repeating: 0x20, count: SupplementJSONCoder.limitBytes + 1), path: "s")
        }
        #expect(
            throws: ContentFileError.invalidJSON(path: "h", reason: "a value that is not allowed at link")
        ) {
            try SupplementJSONCoder.decodeConcertDetails(
                in: Array("{\"title\":\"T\",\"credits\":[],\"link\":\"javascript:1\"}".utf8), path: "h")
        }
    }

    @Test func aFileOfTwentyThousandSlidesIsReadInAWhile() throws {
        func pages(_ count: Int) -> String {
            (0..<count).map { "<page><time>\($0)</time><measure>\($0 % 900)</measure><text>s</text></page>" }
                .joined()
        }
        let text =
            "<concert><piece><name>A</name><track><name>NumSeconds</name>\(pages(20_000))</track>"
            + "<track><name>T</name>\(pages(20_000))</track></piece></concert>"
        let took = try ContinuousClock().measure {
            let piece = try #require(
                try ContentXMLReader.readPieces(in: Array(text.utf8), path: "p").pieces.first)
            #expect(piece.tracks[0].slides.count == 20_000)
        }
        // A debug build on a busy machine; what grows with the square would take an hour.
        #expect(took < .seconds(60))
    }
}
