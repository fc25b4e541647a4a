import Basics
import Podium
import Testing

@Suite struct CueSheetTests {
    private let header = "piece,place,name,kind,auto,earliness_ms,notes,target,payload\r\n"

    private func fault(_ text: String, piece: Int? = nil) -> CueSheetFault? {
        do throws(CueSheetFault) {
            _ = try CueSheet.importCues(Array(text.utf8), into: evening(), piece: piece)
        } catch { return error }
        return nil
    }

    private func names(_ text: String) throws -> [[String]] {
        try CueSheet.importCues(Array(text.utf8), into: evening()).pieces.map { $0.cues.cues.map(\.name) }
    }

    @Test func whatIsWrittenReadsBack() throws {
        let odd = try Cue(
            place: #require(MeasureReference("2/2")), played: 5, name: "Lights, \"blue\"", kind: .osc,
            isAutomatic: false,
            earlinessMilliseconds: 250, notes: "first line\r\nsecond, ünï\n", target: "desk", payload: "/go 1"
        )
        let course = try evening(second: [cue("x", at: 3)]).replacingCues(
            of: 0, by: CueList([odd, cue("plain", at: 1)], measureCount: 16))
        let text = CueSheet.csv(of: course)
        #expect(text.hasPrefix(header))
        let back = try CueSheet.importCues(Array(text.utf8), into: course)
        #expect(back == course)
        #expect(CueSheet.csv(of: course, piece: 1) == header + "2,p:3,x,note,yes,0,,,\r\n")
    }

    @Test(arguments: [true, false]) func unicodeTextOfSpreadsheetsIsRead(isLittle: Bool) throws {
        let units = Array("\u{FEFF}piece\tplace\tname\tkind\r\n1\t5\tFête\tnote\r\n".utf16)
        let bytes = units.flatMap { unit -> [UInt8] in
            let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isLittle ? pair : pair.reversed()
        }
        let read = try CueSheet.importCues(bytes, into: evening())
        #expect(read.pieces.map { $0.cues.cues.map(\.name) } == [["Fête"], []])
    }

    @Test func columnsStandInAnyOrderAndMayBeMissing() throws {
        #expect(
            try names("kind,NAME,place,piece\nnote,a,5,1\nslide,b,2,strauss-2\n\nnote,c,B,1") == [
                ["a", "c"], ["b"],
            ])
        #expect(
            try names("\u{FEFF}piece,place,name,kind\r\n\"Strauss, Don Juan: II\",1,z,note\r\n") == [
                [], ["z"],
            ])
    }

    @Test func onePieceIsReadByItselfAndTheOthersStay() throws {
        let course = evening([cue("old", at: 1)], second: [cue("stays", at: 1)])
        let new = try CueSheet.importCues(Array("place,name,kind\n3,new,note\n".utf8), into: course, piece: 0)
        #expect(new.pieces.map { $0.cues.cues.map(\.name) } == [["new"], ["stays"]])
        #expect(
            fault("piece,place,name,kind\n2,3,new,note\n", piece: 0) == .wrongPiece(line: 2, piece: "2"))
    }

    @Test func cuesKeepTheirIDsOverAnImport() throws {
        let first = try CueSheet.importCues(
            Array((header + "1,3/1,a,note,,,,,\n1,4/1,b,note,,,,,\n").utf8), into: evening())
        #expect(first.pieces[0].cues.cues.map(\.id) == ["c1", "c2"])
        let second = try CueSheet.importCues(
            Array((header + "1,1/1,new,note,,,,,\n1,4/1,b,note,,,changed,,\n").utf8), into: first)
        #expect(second.pieces[0].cues.cues.map(\.id) == ["c3", "c2"])
    }

    @Test func mistakesAreNamedByTheirLine() {
        #expect(fault("") == .empty)
        #expect(fault("place,name,kind,colour\n") == .unknownColumn("colour"))
        #expect(fault("place,name,kind,name\n") == .columnTwice("name"))
        #expect(fault("place,name\n") == .missingColumn("kind"))
        let start = "piece,place,name,kind,auto,earliness_ms\n1,1,\"two\nlines\",note,,\n"
        #expect(fault(start + "1,1,a,note\n") == .wrongFieldCount(line: 4, found: 4, wanted: 6))
        #expect(fault(start + "3,1,a,note,,\n") == .unknownPiece(line: 4, piece: "3", count: 2))
        #expect(fault(start + ",1,a,note,,\n") == .unknownPiece(line: 4, piece: "", count: 2))
        #expect(fault(start + "1,,a,note,,\n") == .inCue("a", .emptyPlace(line: 4)))
        #expect(
            fault(start + "1,99,a,note,,\n")
                == .inCue("a", .invalidPlace(line: 4, .noMeasure(99, first: 1, last: 12))))
        #expect(fault(start + "1,1,a,bang,,\n") == .inCue("a", .unknownKind(line: 4, "bang")))
        #expect(fault(start + "1,1,a,note,perhaps,\n") == .inCue("a", .invalidAutomatic(line: 4, "perhaps")))
        #expect(fault(start + "1,1,a,note,,soon\n") == .inCue("a", .invalidEarliness(line: 4, "soon")))
        #expect(fault(start + "1,1,,bang,,\n") == .unknownKind(line: 4, "bang"))
        #expect(fault(start + "1,1,a,slide,,10\n") == .invalidCue(line: 4, .slideWithEarliness(cue: "a")))
        #expect(fault(start + "1,1,a\"b,note,,\n") == .strayQuote(line: 4))
        #expect(fault(start + "1,1,\"a\"b,note,,\n") == .strayQuote(line: 4))
        #expect(fault(start + "1,1,\"a,note,,\n") == .unclosedQuote(line: 4))
        #expect(
            fault(header + String(repeating: "1,1,a,note,,,,,\n", count: 1_001))
                == .invalidCueList(.tooManyCues(1_001)))
    }

    @Test func mistakesNameTheCueBeforeTheLine() throws {
        let start = "piece,place,name,kind,auto,earliness_ms\n"
        let sentence = try #require(fault(start + "1,99,Lights blue,note,,\n")).sentence
        #expect(sentence.hasPrefix("The cue “Lights blue”, line 2: "))
        let slide = try #require(fault(start + "1,1,Score,slide,,10\n")).sentence
        #expect(slide.hasPrefix("The cue “Score” is a slide") && slide.hasSuffix("It stands in line 2."))
    }

    @Test(arguments: [
        "piece;place;name;kind;auto;earliness_ms;notes\r\n1;3;\"a; b\";note;no;250,0;\"x, y\"\r\n",
        "\u{FEFF}place;name;kind;earliness_ms;auto;notes\n3;\"a; b\";note;250,4;no;x, y\n",
        "sep=;\r\nplace;name;kind;auto;earliness_ms;notes\r\n3;\"a; b\";note;no;249,6;x, y\r\n",
        "place\tname\tkind\tauto\tearliness_ms\tnotes\n3\ta; b\tnote\tno\t250\tx, y\n",
        "place,name,kind,auto,earliness_ms,notes\n3,a; b,note,no,250.0,\"x, y\"\n",
    ])
    func semicolonsTabsAndDecimalCommasAreRead(text: String) throws {
        let cue = try #require(
            CueSheet.importCues(Array(text.utf8), into: evening(), piece: 0).pieces[0].cues.cues.first)
        #expect(cue.name == "a; b" && cue.notes == "x, y" && !cue.isAutomatic)
        #expect(cue.earlinessMilliseconds == 250)
    }

    /// True for a cell that a spreadsheet would run as a formula.
    private func isRun(_ cell: Substring) -> Bool { "=+-@\t\r\n".contains(cell.first ?? "x") }

    @Test func noCellOfAnExportIsRunBySpreadsheetsAndReadingGivesBackWhatWasThere() throws {
        let texts = [
            "=HYPERLINK(0)", "+1", "-10 dB", "@SUM(1)", "\tx", "\rx", "'=1", "''=1", "'", "''", "'quoted'",
            "don't",
            "a=b", "", "=", "-", "'-", "\nx",
        ]
        var random = SeededRandomGenerator(seed: 17)
        let alphabet = Array("'=+-@\t\r\n;,\" a1ü")
        let made = (0..<500).map { _ in
            String(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in alphabet.randomElement(using: &random)!
                })
        }
        for text in texts + made {
            var odd = try Cue(
                place: #require(MeasureReference("3")), played: 2, name: "n" + text, kind: .mqtt)
            (odd.name, odd.notes, odd.target, odd.payload) = (text.isEmpty ? "n" : text, text, "t", text)
            let course = try evening().replacingCues(of: 0, by: CueList([odd], measureCount: 16))
            let sheet = CueSheet.csv(of: course, piece: 0)
            let back = try CueSheet.importCues(Array(sheet.utf8), into: course, piece: 0)
            #expect(back == course, "\(text.debugDescription)")
            // Fields in quotes begin behind the quote.
            let cells = sheet.dropFirst(header.count).split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.first == "\"" ? $0.dropFirst() : $0 }
            if !text.contains(where: { ",\"\r\n".contains($0) }) {
                #expect(!cells.dropLast().contains(where: isRun), "\(sheet)")
            }
        }
    }

    @Test func anyBytesAreReadOrRefused() {
        var random = SeededRandomGenerator(seed: 3)
        let alphabet = Array("piece,place,name,kind\r\n\"\";1AB/.note ".utf8) + [0, 0xFF, 0xEF, 0xBB, 0xBF]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...60, using: &random)
            let bytes =
                Array("place,name,kind\n".utf8)
                + (0..<count).map { _ in alphabet.randomElement(using: &random)! }
            do throws(CueSheetFault) {
                let course = try CueSheet.importCues(bytes, into: evening(), piece: 0)
                let text = CueSheet.csv(of: course, piece: 0)
                #expect(try! CueSheet.importCues(Array(text.utf8), into: course, piece: 0) == course)
            } catch {
                #expect(!error.sentence.isEmpty)
            }
        }
    }

    @Test func aSheetCutAnywhereIsReadOrRefused() {
        let whole = Array((header + "1,3/1,\"a \"\"b\"\"\",note,yes,0,\"x\r\ny\",,\r\n").utf8)
        for length in 0...whole.count {
            _ = try? CueSheet.importCues(Array(whole[..<length]), into: evening())
        }
    }
}
