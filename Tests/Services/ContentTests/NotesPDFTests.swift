import Foundation
import Testing

@testable import Content
@testable import ContentStages
@testable import Hosting
@testable import TestHelpers

/// Programme notes as listeners open them, read back by poppler.
@Suite(
    .ownThreads,
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/pdftotext"),
        "poppler-utils is not installed"))
struct NotesPDFTests {
    /// What poppler's program says of a PDF.
    private func said(by program: String, _ pdf: [UInt8]) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID().uuidString).pdf")
        try Data(pdf).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(program)")
        process.arguments = program == "pdftotext" ? ["-layout", file.path, "-"] : [file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: said, as: UTF8.self)
    }

    private func pages(_ pdf: [UInt8]) throws -> Int? {
        try said(by: "pdfinfo", pdf).firstMatch(of: #/Pages: +(\d+)/#).flatMap { Int($0.1) }
    }

    @Test func theConcertsNotesAreReadBackWordForWord() throws {
        let notes = try Data(
            contentsOf: URL(fileURLWithPath: ContentStage.recordings + "/content/ProgramNotes.md"))
        let markdown = String(decoding: notes, as: UTF8.self)
        let pdf = try #require(ProgrammeNotesPDF.typesetPDF(of: markdown))
        let words = { (text: String) in text.split { $0.isWhitespace || "#*-•".contains($0) } }
        #expect(try words(said(by: "pdftotext", pdf).replacing("\u{C}", with: " ")) == words(markdown))
        #expect(try said(by: "pdfinfo", pdf).contains("420 x 595 pts"))
        #expect(pdf.count < 100_000)
        #expect(pdf == ProgrammeNotesPDF.typesetPDF(of: markdown))
    }

    @Test func signsOfTheFormatAreOnlyTextOnThePage() throws {
        let pdf = try #require(
            ProgrammeNotesPDF.typesetPDF(of: "# A (b) \\ c\n\nEOF ) Tj ET /JS (x) Š Ж ő“” **bold** Dvořák"))
        let text = try said(by: "pdftotext", pdf)
        #expect(text.contains(#"A (b) \ c"#))
        #expect(text.contains("EOF ) Tj ET /JS (x) Š Ж ő“” bold Dvořák"))
        #expect(try said(by: "pdfinfo", pdf).contains(#"A (b) \ c"#))
    }

    @Test func aLongTextTakesSeveralPages() throws {
        let text = Array(repeating: String(repeating: "word ", count: 80), count: 40).joined(
            separator: "\n\n")
        let pdf = try #require(ProgrammeNotesPDF.typesetPDF(of: text))
        #expect(try pages(pdf) ?? 0 > 5)
        // Also a word that no line holds comes to an end, and nothing is an empty page.
        for short in [String(repeating: "x", count: 5_000), ""] {
            let pdf = try #require(ProgrammeNotesPDF.typesetPDF(of: short))
            #expect(try pages(pdf) == 1)
        }
    }
}
