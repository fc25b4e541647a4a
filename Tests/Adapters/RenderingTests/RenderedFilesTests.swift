import Foundation
import Testing

@testable import Rendering

@Suite struct RenderedFilesTests {
    @Test func aFolderGetsTheUsualNames() {
        let files = RenderedFiles(out: URL(fileURLWithPath: "/x/calm"))
        #expect(files.sound.path == "/x/calm/audio.ogg")
        #expect(files.measures.path == "/x/calm/measures.csv")
        #expect(files.details.path == "/x/calm/render.json")
    }

    @Test func aFileKeepsItsNameAndLendsItToTheOthers() {
        let files = RenderedFiles(out: URL(fileURLWithPath: "/x/calm.WAV"))
        #expect(files.sound.path == "/x/calm.WAV")
        #expect(files.measures.path == "/x/calm.measures.csv")
        #expect(files.details.path == "/x/calm.render.json")
    }

    @Test func everyErrorIsASentence() {
        let errors: [RenderingError] = [
            .cannotRead(path: "p", reason: "r"), .cannotWrite(path: "p", reason: "r"),
            .scoreTooLarge(path: "p", bytes: 2, limit: 1), .unknownScoreFormat(path: "p"),
            .unknownSoundFormat(path: "p"),
            .notMusicXML(path: "p"), .entityDeclaration(path: "p"), .midi(path: "p", fault: .smpteDivision),
            .tempoCurve(path: "p", fault: .empty), .unknownPart(name: "n", known: []),
            .tooManyParts(count: 20),
            .tooLong(seconds: 1e9), .fluidSynthMissing, .soundfontMissing(path: nil),
            .soundfontMissing(path: "p"), .verovioMissing(environment: "e"), .timemapToolMissing,
            .toolFailed(tool: "t", score: "p", reason: "r"), .toolTimedOut(tool: "t", score: "p", seconds: 1),
            .timemapUnusable(score: "p", reason: "r"),
        ]
        for error in errors { #expect(error.sentence.hasSuffix(".") || error.sentence.hasSuffix(").")) }
    }
}
