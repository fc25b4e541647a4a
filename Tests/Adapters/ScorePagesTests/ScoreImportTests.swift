import Foundation
import Testing

@testable import ScorePages
@testable import TestHelpers

@Suite(.ownThreads, .enabled(if: hasPoppler, "poppler-utils is not installed")) struct ScoreImportTests {
    @Test func aScoreOfTwoHundredPagesIsSummed() async throws {
        let folder = try TestFolder()
        let path = try folder.file("score.pdf", SmallPDF.numbered(200).bytes)
        let summary = try await ScorePDFInspector().inspect(path)
        #expect(summary.pages.count == 200)
        #expect(summary.pages[199] == PaperSize(width: 595, height: 842))
        #expect(summary.digest.count == 64)
        #expect(summary.permitsPrinting)
    }

    @Test func theSameBytesHaveTheSameDigestWhereverTheyLie() async throws {
        let folder = try TestFolder()
        let one = try folder.file("one.pdf", SmallPDF.numbered(1).bytes)
        let two = try folder.file("two \\ 'quoted'.pdf", SmallPDF.numbered(1).bytes)
        let other = try folder.file("other.pdf", SmallPDF.numbered(2).bytes)
        let digest = try await ScorePDFInspector().inspect(one).digest
        #expect(try await ScorePDFInspector().inspect(two).digest == digest)
        #expect(try await ScorePDFInspector().inspect(other).digest != digest)
    }

    @Test func landscapeByRotationIsLandscape() async throws {
        let folder = try TestFolder()
        let path = try folder.file(
            "a.pdf", SmallPDF(pages: [""], width: 500, height: 700, rotation: 90).bytes)
        #expect(try await ScorePDFInspector().inspect(path).pages == [PaperSize(width: 700, height: 500)])
    }

    @Test func aFileAboveTheLimitIsRefusedUnread() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/huge.pdf"
        try Data("%PDF-1.4".utf8).write(to: URL(fileURLWithPath: path))
        try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 500_000_000)
        let error = await fault { () async throws(ScorePagesError) in
            try await ScorePDFInspector().inspect(path)
        }
        #expect(error == .fileTooLarge(path: path, bytes: 500_000_000, limit: 200_000_000))
        #expect(error?.sentence.contains("500 MB") == true)
    }

    @Test func whatIsNoPDFIsRefused() async throws {
        let folder = try TestFolder()
        let text = try folder.file("text.pdf", Array("Dear librarian".utf8))
        let empty = try folder.file("empty.pdf", [])
        for path in [text, empty] {
            let error = await fault { () async throws(ScorePagesError) in
                try await ScorePDFInspector().inspect(path)
            }
            #expect(error == .notPDF(path: path))
        }
    }

    @Test func aNamedPipeIsRefusedWithoutWaiting() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/pipe.pdf"
        #expect(mkfifo(path, 0o600) == 0)
        let error = await fault { () async throws(ScorePagesError) in
            try await ScorePDFInspector().inspect(path)
        }
        #expect(error == .cannotRead(path: path, reason: "it is no regular file"))
    }

    @Test func aLockedFileAsksForOneWithoutPassword() async throws {
        let folder = try TestFolder()
        var pdf = SmallPDF.numbered(1)
        let key = String(repeating: "A5", count: 32)
        pdf.objects.append("<< /Filter /Standard /V 1 /R 2 /O <\(key)> /U <\(key)> /P -4 >>")
        pdf.trailer = "/Encrypt \(pdf.objects.count) 0 R /ID [<00112233445566778899AABBCCDDEEFF> <00>]"
        let path = try folder.file("locked.pdf", pdf.bytes)
        let error = await fault { () async throws(ScorePagesError) in
            try await ScorePDFInspector().inspect(path)
        }
        #expect(error == .needsPassword(path: path))
    }

    @Test func aPageOfAMillionPointsIsRefused() async throws {
        let folder = try TestFolder()
        let pdf = SmallPDF(pages: ["", ""], width: 1_000_000, height: 1_000_000)
        let path = try folder.file("vast.pdf", pdf.bytes)
        let error = await fault { () async throws(ScorePagesError) in
            try await ScorePDFInspector().inspect(path)
        }
        #expect(error == .impossiblePageSize(path: path, page: 0, width: 1_000_000, height: 1_000_000))
    }

    @Test func aPageTreeThatHoldsItselfEndsInASentence() async throws {
        let folder = try TestFolder()
        var pdf = SmallPDF.numbered(1)
        pdf.objects[1] = "<< /Type /Pages /Count 1000000000 /Kids [2 0 R 2 0 R 2 0 R] >>"
        let path = try folder.file("loop.pdf", pdf.bytes)
        let error = await fault { () async throws(ScorePagesError) in
            try await ScorePDFInspector().inspect(path)
        }
        #expect(error != nil)
    }

    @Test func arraysNestedAHundredThousandDeepEndInASentence() async throws {
        let folder = try TestFolder()
        var pdf = SmallPDF.numbered(1)
        pdf.objects[1] = "<< /Type /Pages /Count 1 /Kids " + String(repeating: "[", count: 100_000) + " >>"
        let path = try folder.file("deep.pdf", pdf.bytes)
        let error = await fault { () async throws(ScorePagesError) in
            try await ScorePDFInspector().inspect(path)
        }
        #expect(error != nil)
    }

    @Test(.timeLimit(.minutes(5))) func aFileCutAnywhereIsReadOrRefusedButNeverHangs() async throws {
        let folder = try TestFolder()
        let bytes = SmallPDF.numbered(3).bytes
        for length in stride(from: 10, to: bytes.count, by: bytes.count / 12) {
            let path = try folder.file("cut.pdf", Array(bytes[..<length]))
            _ = await fault { () async throws(ScorePagesError) in try await ScorePDFInspector().inspect(path)
            }
        }
    }

    @Test func javaScriptIsTakenForTheInertTextItIs() async throws {
        let folder = try TestFolder()
        let pdf = SmallPDF(pages: [""], entries: "/OpenAction << /S /JavaScript /JS (while(true){}) >>")
        let path = try folder.file("script.pdf", pdf.bytes)
        let summary = try await ScorePDFInspector().inspect(path)
        let drawn = try await PageImageProvider(cacheFolder: folder.path + "/cache").pageImage(
            of: summary, page: 0, size: .thumbnail)
        #expect(drawn.format == .png)
    }

    @Test func morePagesThanTheLimitAreRefused() async throws {
        let folder = try TestFolder()
        let path = try folder.file("long.pdf", SmallPDF.numbered(6).bytes)
        let narrow = ScorePDFInspector(limits: .init(pages: 5))
        let error = await fault { () async throws(ScorePagesError) in try await narrow.inspect(path) }
        #expect(error == .tooManyPages(path: path, pages: 6, limit: 5))
    }

    @Test func withoutPopplerTheSentenceSaysWhatToInstall() async throws {
        let folder = try TestFolder()
        let path = try folder.file("a.pdf", SmallPDF.numbered(1).bytes)
        var tools = ExternalPageTools.findTools()
        tools.pdfinfo = nil
        let poor = ScorePDFInspector(tools: tools)
        let error = await fault { () async throws(ScorePagesError) in try await poor.inspect(path) }
        #expect(error?.sentence.contains("apt-get install poppler-utils") == true)
    }
}
