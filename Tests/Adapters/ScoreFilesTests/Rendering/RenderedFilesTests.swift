import Basics
import Foundation
import Testing

@testable import ScoreFiles

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
        #expect(
            throws: ExplainedError(
                "\(name) names no sound format; end it in .wav, .flac or .ogg, in .mid for the notes "
                    + "alone, or in / for a folder.")
        ) {
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
        let errors: [ExplainedError] = [
            RenderingError.cannotWrite(path: "p", reason: "r"), RenderingError.soundfontMissing(path: nil),
            RenderingError.soundfontMissing(path: "p"),
            RenderingError.toolFailed(tool: "t", score: "p", reason: "r"),
            RenderingError.timemapUnusable(score: "p", reason: "r"),
        ]
        for error in errors { #expect(error.sentence.hasSuffix(".") || error.sentence.hasSuffix(").")) }
    }
}
