import Foundation
import Testing

@testable import Rendering

@Suite struct RenderedFilesTests {
    @Test func aFolderGetsTheUsualNames() {
        let files = RenderedFilePaths(out: URL(fileURLWithPath: "/x/calm"))
        #expect(files.soundFile.path == "/x/calm/audio.ogg")
        #expect(files.measureTimesFile.path == "/x/calm/measures.csv")
        #expect(files.detailsFile.path == "/x/calm/render.json")
    }

    @Test func aFileKeepsItsNameAndLendsItToTheOthers() {
        let files = RenderedFilePaths(out: URL(fileURLWithPath: "/x/calm.WAV"))
        #expect(files.soundFile.path == "/x/calm.WAV")
        #expect(files.measureTimesFile.path == "/x/calm.measures.csv")
        #expect(files.detailsFile.path == "/x/calm.render.json")
    }

    @Test(arguments: ["x.mp3", "/tmp/a/x.M4A", "x.midi"]) func aFileOfAnotherKindIsNoFolder(name: String) {
        #expect(throws: RenderingError.unknownSoundFormat(path: name)) {
            try RenderedFilePaths.check(out: name)
        }
    }

    @Test(arguments: [
        "calm", "calm/", "takes/v1.2", "Op. 12", "x.mp3/", "x.flac", "x.mid", NSTemporaryDirectory(),
    ])
    func foldersAndKnownFilesAreTaken(name: String) throws {
        try RenderedFilePaths.check(out: name)
    }

    @Test func everyErrorIsASentence() {
        let errors: [RenderingError] = [
            .cannotRead(path: "p", reason: "r"), .cannotWrite(path: "p", reason: "r"),
            .scoreTooLarge(path: "p", bytes: 2, limit: 1), .unknownScoreFormat(path: "p"),
            .unknownSoundFormat(path: "p"), .tempoCurveBeyondScore(measure: 99.5, first: 1, last: 16),
            .notMusicXML(path: "p"), .forbiddenEntityDeclaration(path: "p"),
            .invalidMIDIFile(path: "p", fault: ExplainedError("it counts in film frames")),
            .invalidTempoCurve(path: "p", fault: ExplainedError("it has no points")),
            .unknownPart(name: "n", known: []),
            .tooManyParts(count: 20),
            .performanceTooLong(seconds: 1e9), .fluidSynthMissing, .soundfontMissing(path: nil),
            .soundfontMissing(path: "p"), .verovioMissing(environment: "e"), .timemapToolMissing,
            .toolFailed(tool: "t", score: "p", reason: "r"), .toolTimedOut(tool: "t", score: "p", seconds: 1),
            .processorTimeUsedUp(tool: "t", score: "p", seconds: 1),
            .timemapUnusable(score: "p", reason: "r"),
        ]
        for error in errors { #expect(error.sentence.hasSuffix(".") || error.sentence.hasSuffix(").")) }
    }
}
