import ChildProcesses
import Foundation
import Testing

@testable import Rendering

@Suite struct ScoreFileTests {
    private func check(_ bytes: [UInt8]) throws { try ScoreFile.refuseDangerousXML(bytes, path: "s.xml") }

    @Test func aDoctypeIsNormal() throws {
        try check(Array("\u{FEFF}<?xml version=\"1.0\"?><!DOCTYPE score-partwise><score-partwise/>".utf8))
    }

    @Test func anEntityDeclarationIsRefusedWhereverItStands() {
        let bomb = Array("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>".utf8)
        #expect(throws: RenderingError.forbiddenEntityDeclaration(path: "s.xml")) { try check(bomb) }
        #expect(throws: RenderingError.forbiddenEntityDeclaration(path: "s.xml")) {
            try check(Array("<a/>".utf8) + Array("<!ENTITY".utf8))
        }
    }

    @Test func whatCouldHideADeclarationIsRefused() {
        let wide: [UInt8] = [0xFF, 0xFE] + "<a/>".utf8.flatMap { [$0, 0 as UInt8] }
        #expect(throws: RenderingError.notMusicXML(path: "s.xml")) { try check(wide) }
        #expect(throws: RenderingError.notMusicXML(path: "s.xml")) { try check([]) }
        #expect(throws: RenderingError.notMusicXML(path: "s.xml")) { try check([0x4C, 0x6F]) }
    }

    @Test func anUnknownEndingAndAMissingFileAreNamed() {
        #expect(throws: RenderingError.unknownScoreFormat(path: "/nowhere/a.pdf")) {
            try ScoreFile(URL(fileURLWithPath: "/nowhere/a.pdf"))
        }
        #expect(throws: RenderingError.cannotRead(path: "/nowhere/a.mid", reason: "there is no such file")) {
            try ScoreFile(URL(fileURLWithPath: "/nowhere/a.mid"))
        }
    }

    @Test func aFolderIsRefusedInWordsOfOurs() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "score-\(UUID().uuidString).mid")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(
            throws: RenderingError.cannotRead(
                path: folder.path, reason: "it is no plain file, or the disk does not give it")
        ) {
            _ = try ScoreFile(folder)
        }
    }

    @Test func aScoreBeyondTheLimitIsNotReadWhole() throws {
        let folder = try ScratchFolder()
        let large = folder.fileURL("large.mid")
        try Data(count: ScoreFile.maximumBytes + 10).write(to: large)
        #expect(
            throws: RenderingError.scoreTooLarge(
                path: large.path, bytes: ScoreFile.maximumBytes + 10, limit: ScoreFile.maximumBytes)
        ) { try ScoreFile(large) }
    }
}
