import Foundation
import Podium
import Testing
import Titles

@testable import Screen
@testable import ShowStages
@testable import TestHelpers

@Suite struct TitleDocumentTests {
    private func sung() throws -> ShowPiece {
        let piece = try madeCourse().pieces[0]
        let csv = """
            bar,text_de,text_en,fade_in,note
            p:0,Erste,First,0.5,slow
            p:1,,,,
            p:2,"Zwei
            Zeilen",Two lines,,
            ,von Hand,by hand,,
            """
        let list = try piece.readTitles(Array(csv.utf8), as: .csv)
        return try madeCourse().replacingTitles(of: 0, by: list).pieces[0]
    }

    @Test func titlesWithBarsComeBackFromContentXML() throws {
        let piece = try sung()
        let xml = TitleContentXML.write(piece)
        #expect(String(decoding: xml, as: UTF8.self).contains("<name>Titles (de)</name>"))
        let list = try TitleContentXML.readTitles(xml, name: "titles.xml", for: piece)
        #expect(list.languages == ["de", "en"])
        #expect(list.titles.map(\.played) == [0, 1, 2])
        #expect(
            list.titles.map { $0.texts.map(\.text) } == [
                ["Erste", "First"], ["", ""], ["Zwei\nZeilen", "Two lines"],
            ])
    }

    @Test func slidesBecomeTitlesAndAnUnknownTrackGetsASentence() throws {
        let piece = try sung()
        let xml = String(decoding: TitleContentXML.write(piece), as: UTF8.self)
            .replacing("Titles (de)", with: "Die Musik").replacing("Titles (en)", with: "The Music")
        func read(_ tracks: String...) throws(TitleImportFault) -> TitleList {
            try TitleContentXML.readTitles(Array(xml.utf8), name: "c.xml", for: piece, tracks: tracks)
        }
        #expect(try read("The Music").titles.map(\.firstText) == ["First", "", "Two lines"])
        var sentences: [String] = []
        for tracks in [[], ["Opera"]] {
            do throws(TitleImportFault) {
                _ = try TitleContentXML.readTitles(Array(xml.utf8), name: "c.xml", for: piece, tracks: tracks)
            } catch { sentences.append(error.sentence) }
        }
        #expect(sentences.count == 2 && sentences.allSatisfy { $0.contains("“Die Musik”") })
        #expect(throws: TitleImportFault.self) {
            try TitleContentXML.readTitles(Array("<x/>".utf8), name: "c.xml", for: piece)
        }
    }

    @Test func theListIsPrintedTheSameEachTime() throws {
        let piece = try sung()
        let pdf = try #require(TitleListPDF.make(piece)?.bytes)
        #expect(pdf.starts(with: Array("%PDF-1.4".utf8)) && pdf == TitleListPDF.make(piece)?.bytes)
        #expect(TitleListPDF.make(try madeCourse().pieces[0]) != nil, "a piece without titles too")
    }

    private static let scripts = [
        "Что делать, когда весна", "Πού πας, καλέ μου", "Příliš žluťoučký kůň", "Zażółć gęślą jaźń",
        "夜来香 我为你歌唱", "さくら さくら", "Đêm nay ai đưa em về", "शुभ प्रभात", "สวัสดี",
        "Grüße, œuvre, ñandú, İstanbul, ½ – “…”",
    ]

    private func piece(withTitles texts: [String]) throws -> ShowPiece {
        let titles = try TitleList(texts.map { Title(texts: [TitleText(text: $0)]) })
        return try madeCourse().replacingTitles(of: 0, by: titles).pieces[0]
    }

    @Test func aLineBreakIsNoLetterThatIsMissing() throws {
        #expect(try #require(TitleListPDF.make(try piece(withTitles: ["eins\nzwei"]))).missingLetters == nil)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/pdftotext")))
    func everyScriptIsPrintedWithAllItsLetters() throws {
        let pdf = try #require(TitleListPDF.make(try piece(withTitles: Self.scripts)))
        #expect(pdf.missingLetters == nil)
        let folder = try ServeFolder()
        let path = folder.path + "/list.pdf"
        try Data(pdf.bytes).write(to: URL(filePath: path))
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/pdftotext")
        process.arguments = ["-layout", path, "-"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        // Between letters of some scripts pdftotext sees spaces that nobody wrote.
        let letters = text.filter { !$0.isWhitespace }
        for line in Self.scripts {
            #expect(letters.contains(line.filter { !$0.isWhitespace }), "\(line) in \(text)")
        }
    }

    @Test func lettersThatNoTypefaceHasAreNamed() throws {
        // Private letters, which belong to nobody's typeface.
        let list = try piece(withTitles: ["Fine", "a \u{10F8F0}", "b \u{10F8F0}\u{10F8F1}"])
        let sentence = try #require(TitleListPDF.make(list)?.missingLetters)
        #expect(sentence.contains("has U+10F8F0 (titles 2, 3), U+10F8F1 (title 3)."))
    }
}
