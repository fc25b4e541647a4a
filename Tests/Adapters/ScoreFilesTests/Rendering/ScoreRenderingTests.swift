import Basics
import Foundation
import Platform
import Testing

@testable import ScoreFiles

@Suite struct ScoreRenderingTests {
    private static let found = ExternalRenderingTools.findTools(
        environment: ProcessInfo.processInfo.environment,
        workingDirectory: URL(fileURLWithPath: #filePath).deletingLastPathComponent(),
        program: URL(fileURLWithPath: "/nowhere"))
    private static let synthesizes = found.fluidSynth != nil && !found.soundfonts.isEmpty
    private static let notates = found.pythonInterpreter != nil
    private let sound = ScoreRenderer.SynthesizerSettings(
        rate: SampleRate(hertz: 22_050), reverberation: .chamber, gain: 0.5)
    private let bare = ExternalRenderingTools(
        fluidSynth: nil, python: nil, pythonEnvironment: URL(fileURLWithPath: "/nowhere/.venv"),
        timemapTool: URL(fileURLWithPath: "/nowhere/timemap.py"), soundfonts: [])

    private func render(
        _ content: [UInt8], named name: String, to out: String, workshop: ExternalRenderingTools
    ) async throws -> (facts: RenderingDetails, csv: String, sound: Int) {
        let folder = try ScratchFolder()
        let score = folder.fileURL(name)
        try Data(content).write(to: score)
        let files = RenderedFilePaths(out: folder.fileURL(out))
        let facts = try await ScoreRenderer(tools: workshop).render(
            score: score, as: PerformanceInterpretation(leadIn: .zero), sound: sound, to: files)
        return (
            facts, try String(contentsOf: files.measureTimesFile, encoding: .utf8),
            try Data(contentsOf: files.soundFile).count
        )
    }

    @Test func notesAloneNeedNoProgramAtAll() async throws {
        let (facts, csv, size) = try await render(
            SmallMIDI.waltz, named: "w.mid", to: "w2.mid", workshop: bare)
        // Three quarters at 100 a minute.
        #expect(facts.endSeconds == 1.8)
        #expect(csv == "measure,time\n1,0.0000\n")
        #expect(facts.soundfont == nil)
        #expect(size > 0)
    }

    @Test func whatIsMissingIsSaid() async {
        await #expect(
            throws: ExplainedError("The program fluidsynth is missing; run: apt-get install fluidsynth.")
        ) {
            try await render(SmallMIDI.waltz, named: "w.mid", to: "x", workshop: bare)
        }
        await #expect(
            throws: ExplainedError(
                "Reading MusicXML needs a Python environment with Verovio at /nowhere/.venv; run "
                    + "Tools/verovio-venv (installed: sudo baton-verovio), or set BATON_VENV to where one is."
            )
        ) {
            try await render(Array(Self.score.utf8), named: "s.xml", to: "x.mid", workshop: bare)
        }
        var half = bare
        half.fluidSynth = URL(fileURLWithPath: "/bin/true")
        await #expect(throws: RenderingError.soundfontMissing(path: nil)) {
            try await render(SmallMIDI.waltz, named: "w.mid", to: "x", workshop: half)
        }
    }

    @Test func aProgramThatWritesNothingHasFailed() async {
        var mute = bare
        mute.fluidSynth = URL(fileURLWithPath: "/bin/true")
        mute.soundfonts = [URL(fileURLWithPath: "/bin/true")]
        await #expect(throws: ExplainedError.self) {
            try await render(SmallMIDI.waltz, named: "w.mid", to: "x", workshop: mute)
        }
    }

    @Test(
        .enabled(if: synthesizes, "needs fluidsynth and a soundfont"),
        arguments: ["a.wav", "a.flac", "a.ogg", "d"])
    func everyFormatHoldsSound(out: String) async throws {
        let (facts, _, size) = try await render(
            SmallMIDI.waltz, named: "w.mid", to: out, workshop: Self.found)
        #expect(size > 4_000)
        // One and a half blocks of 64 samples: what the synthesizer is late by.
        #expect(abs(facts.startSeconds - 0.0044) < 1e-9)
    }

    @Test(.enabled(if: notates, "needs Tools/verovio-venv"))
    func repeatsAndEndingsAreUnfolded() async throws {
        let (facts, csv, _) = try await render(
            Array(Self.score.utf8), named: "s.musicxml", to: "s.mid", workshop: Self.found)
        #expect(facts.measures.map(\.printed) == [1, 2, 1, 3])
        #expect(csv == "measure,time\n1,0.0000\n2,2.0000\n1,4.0000\n3,6.0000\n")
        // The last measure is a rest and still counts.
        #expect(facts.endSeconds == 8)
        #expect(facts.title == "Endings")
        #expect(facts.composer == "Nobody")
        #expect(facts.parts == ["Flute"])
    }

    @Test(.enabled(if: notates, "needs Tools/verovio-venv"))
    func brokenMusicXMLIsRefusedWithAReason() async {
        for broken in ["<score-partwise>", "<other/>", "<score-partwise><part/></score-partwise>"] {
            await #expect(throws: ExplainedError.self) {
                try await render(Array(broken.utf8), named: "s.xml", to: "s.mid", workshop: Self.found)
            }
        }
        await #expect(throws: ExplainedError.self) {
            try await render(Array("no zip".utf8), named: "s.mxl", to: "s.mid", workshop: Self.found)
        }
    }

    @Test func aToolThatWorksWithoutEndIsStoppedWithASentence() async throws {
        let folder = try ScratchFolder()
        let (script, score) = (folder.fileURL("works-without-end"), folder.fileURL("s.musicxml"))
        try Data("#!/bin/sh\nwhile :; do :; done\n".utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path)
        try Data(Self.score.utf8).write(to: score)
        var tools = bare
        tools.pythonInterpreter = script
        var reader = ScoreFileReader(tools: tools)
        reader.processorSeconds = 1
        await #expect(
            throws: ExplainedError(
                "Verovio was stopped on \(score.path): it may work for 1 seconds. The score may be "
                    + "broken or too large: export it again, or divide it into movements.")
        ) { try await reader.readMusic(at: score) }
    }

    private static let score: String = {
        func measure(_ number: Int, _ content: String) -> String {
            "<measure number=\"\(number)\">\(content)</measure>"
        }
        let note = "<note><pitch><step>C</step><octave>4</octave></pitch><duration>4</duration></note>"
        let attributes = """
            <attributes><divisions>1</divisions><time><beats>4</beats><beat-type>4</beat-type></time>
            <clef><sign>G</sign><line>2</line></clef></attributes>
            """
        func ending(_ number: Int, _ content: String, repeats: Bool) -> String {
            "<barline location=\"left\"><ending number=\"\(number)\" type=\"start\"/></barline>" + content
                + "<barline location=\"right\"><ending number=\"\(number)\" type=\"stop\"/>"
                + (repeats ? "<repeat direction=\"backward\"/>" : "") + "</barline>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <score-partwise version="4.0"><work><work-title>Endings</work-title></work>
            <identification><creator type="composer">Nobody</creator></identification>
            <part-list><score-part id="P1"><part-name>Flute</part-name></score-part></part-list><part id="P1">
            \(measure(1, attributes + note))\(measure(2, ending(1, note, repeats: true)))
            \(measure(3, ending(2, "<note><rest/><duration>4</duration></note>", repeats: false)))
            </part></score-partwise>
            """
    }()
}
