import Testing

@testable import ScorePages

@Suite struct PDFInfoTextTests {
    private let text = """
        Title:           Symphony: No. 41
        Encrypted:       yes (print:no copy:no change:no addNotes:no algorithm:RC4)
        Pages:           3
        Page    1 size:  595 x 842 pts (A4)
        Page    1 rot:   0
        Page    2 size:  595 x 842 pts (A4)
        Page    2 rot:   90
        Page    3 size:  612.5 x 792 pts (letter)
        Page    3 rot:   180
        """

    @Test func aTurnedPageIsAsWideAsItLooks() {
        let found = PDFInfoText(text)
        #expect(found.pageCount == 3)
        #expect(
            found.pageSizes == [
                PaperSize(width: 595, height: 842), PaperSize(width: 842, height: 595),
                PaperSize(width: 612.5, height: 792),
            ])
    }

    @Test func titleAndPermissionAreRead() {
        #expect(PDFInfoText(text).title == "Symphony: No. 41")
        #expect(!PDFInfoText(text).permitsPrinting)
        #expect(PDFInfoText("Encrypted: no").permitsPrinting)
    }

    @Test func textCutAnywhereIsNeverTakenForMore() {
        let bytes = Array(text.utf8)
        for length in bytes.indices {
            let found = PDFInfoText(String(decoding: bytes[..<length], as: UTF8.self))
            #expect(found.pageSizes.count <= 3)
            #expect(found.pageSizes.count <= max(found.pageCount, 0))
        }
    }

    @Test(arguments: ["Pages: -1", "Pages: 99999999999999999999", "Pages: 5\nPage 9 size: 1 x 1 pts", ":::"])
    func nonsenseGivesNoPages(text: String) {
        #expect(PDFInfoText(text).pageSizes.isEmpty)
    }
}
