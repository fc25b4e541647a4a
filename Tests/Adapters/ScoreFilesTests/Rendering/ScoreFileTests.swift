import Basics
import Foundation
import Platform
import Testing

@testable import ScoreFiles

@Suite struct ScoreFileTests {
    private static let entities = ExplainedError(
        "s.xml declares XML entities, which no score needs and which can do harm; export it again from the notation "
            + "program.")
    private static let notMusicXML = ExplainedError(
        "s.xml is not MusicXML; export it again from the notation program as MusicXML.")

    private func check(_ bytes: [UInt8]) throws { _ = try ScoreFile.plainXML(bytes, path: "s.xml") }

    private func wide(_ text: String, isLittle: Bool = true) -> [UInt8] {
        ([0xFEFF] + text.utf16).flatMap {
            isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)]
        }
    }

    @Test func aDoctypeIsNormal() throws {
        try check(Array("\u{FEFF}<?xml version=\"1.0\"?><!DOCTYPE score-partwise><score-partwise/>".utf8))
    }

    @Test func anEntityDeclarationIsRefusedWhereverItStands() {
        let bomb = Array("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>".utf8)
        #expect(throws: Self.entities) { try check(bomb) }
        #expect(throws: Self.entities) {
            try check(Array("<a/>".utf8) + Array("<!ENTITY".utf8))
        }
    }

    @Test func whatCouldHideADeclarationIsRefused() {
        #expect(throws: Self.entities) {
            try check(wide("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>"))
        }
        let widest: [UInt8] = [0xFF, 0xFE, 0, 0] + "<a/>".utf8.flatMap { [$0, 0, 0, 0] }
        #expect(throws: Self.notMusicXML) { try check(widest) }
        #expect(throws: Self.notMusicXML) { try check([]) }
        #expect(throws: Self.notMusicXML) { try check([0x4C, 0x6F]) }
    }

    @Test(arguments: [true, false]) func whatSibeliusExportsIsReadLikeOtherText(isLittle: Bool) throws {
        let text = "<?xml version='1.0' encoding='UTF-16'?><score-partwise/>"
        #expect(try ScoreFile.plainXML(wide(text, isLittle: isLittle), path: "s.xml") == Array(text.utf8))
    }

    @Test func theContentSaysTheKindWhateverTheEnding() throws {
        let folder = try ScratchFolder()
        for (name, bytes, kind) in [
            ("a.mxl", Array("<score-partwise/>".utf8), ScoreFile.Kind.musicXML),
            ("a.musicxml", [0x50, 0x4B, 3, 4, 0], .compressedMusicXML), ("a.xml", Array("MThd".utf8), .midi),
            ("a.rmi", Array("RIFF".utf8), .midi),
        ] {
            try Data(bytes).write(to: folder.fileURL(name))
            #expect(try ScoreFile(folder.fileURL(name)).kind == kind, "\(name)")
        }
    }

    @Test func anUnknownEndingAndAMissingFileAreNamed() {
        #expect(
            throws: ExplainedError(
                "/nowhere/a.pdf is not a score whose notes can be read. Export it from the notation "
                    + "program as MusicXML (.musicxml, .xml, .mxl) or MIDI (.mid, .midi); the notes of a PDF or "
                    + "a picture are not read.")
        ) {
            try ScoreFile(URL(fileURLWithPath: "/nowhere/a.pdf"))
        }
        #expect(throws: ExplainedError("/nowhere/a.mid cannot be read: there is no such file.")) {
            try ScoreFile(URL(fileURLWithPath: "/nowhere/a.mid"))
        }
    }

    @Test func aFolderIsRefusedInWordsOfOurs() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "score-\(UUID().uuidString).mid")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(
            throws: ExplainedError(
                "\(folder.path) cannot be read: it is no plain file, or the disk does not give it.")
        ) {
            _ = try ScoreFile(folder)
        }
    }

    @Test func aScoreBeyondTheLimitIsNotReadWhole() throws {
        let folder = try ScratchFolder()
        let large = folder.fileURL("large.mid")
        try Data(count: ScoreFile.maximumBytes + 10).write(to: large)
        #expect(
            throws: ExplainedError(
                "\(large.path) has \(ScoreFile.maximumBytes + 10) bytes; scores of up to "
                    + "\(ScoreFile.maximumBytes) bytes are read.")
        ) { try ScoreFile(large) }
    }
}
