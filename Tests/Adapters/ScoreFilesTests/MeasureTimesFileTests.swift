import Basics
import Foundation
import Score
import Testing

@testable import ScoreFiles

@Suite struct MeasureTimesFileTests {
    @Test(arguments: Fixture.all)
    func everyFormatIsRecognisedByItsContent(format: MeasureTimesFormat, text: String) throws {
        #expect(try read(text).format == format)
        #expect(try read(text, as: format) == read(text))
        #expect(try read("\u{FEFF}" + text.replacing("\n", with: "\r\n")).marks == read(text).marks)
    }

    @Test func whatCouldBeTwoThingsIsRefusedWithTheChoice() throws {
        let error = MeasureTimesError.ambiguousFormat(path: "times", candidates: [.csv, .sonicVisualiser])
        #expect(throws: error) { try read("1,2\n2,4\n") }
        #expect(
            error.sentence
                == "times could be a measure,time table or a Sonic Visualiser time,label layer; "
                + "say which with --format csv or --format sonic-visualiser.")
        #expect(try read("1,2\n2,4\n", as: .csv).marks == marks([(1, 2), (2, 4)]))
        #expect(try read("1,2\n2,4\n", as: .sonicVisualiser).marks == marks([(2, 1), (4, 2)]))
        #expect(throws: MeasureTimesError.ambiguousFormat(path: "times", candidates: [.audacity, .harmonix]))
        {
            try read("0.0\t1\t1\n0.5\t2\t1\n")
        }
    }

    /// Web pages have no command line: their sentences name none of its options and commands.
    @Test func sentencesForPagesNameNoCommand() {
        for error: MeasureTimesError in [
            .ambiguousFormat(path: "times", candidates: [.csv, .sonicVisualiser]),
            .unknownFormat(path: "times"),
            .needsRenderingToAudio(path: "times", kind: "a MIDI file"), .noMeasures(path: "times"),
        ] {
            let sentence = error.sentenceForPages
            #expect(
                !sentence.contains("--") && !sentence.contains("`") && sentence.hasSuffix("."), "\(sentence)")
        }
    }

    @Test func wordsAreNoMeasureTimes() {
        #expect(throws: MeasureTimesError.unknownFormat(path: "times")) {
            try read("Dear reader,\nhow are you?\n")
        }
        #expect(throws: MeasureTimesError.unknownFormat(path: "times")) { try read("1,2,3,4\n2,3,4,5\n") }
    }

    @Test func notesAreSentToBeRendered() {
        let midi = MeasureTimesError.needsRenderingToAudio(path: "times", kind: "a MIDI file")
        #expect(throws: midi) { try read("MThd\0\0\0\u{6}") }
        #expect(throws: midi) { try read("MThd\0\0\0\u{6}", as: .csv) }
        #expect(midi.sentence.contains("give it to `baton render`"))
        #expect(throws: MeasureTimesError.needsRenderingToAudio(path: "times", kind: "MusicXML")) {
            try read("<?xml version='1.0'?>\n<!DOCTYPE score-partwise PUBLIC 'x' 'y'>\n<score-partwise/>")
        }
        #expect(throws: MeasureTimesError.needsRenderingToAudio(path: "times", kind: "compressed MusicXML")) {
            try read("PK\u{3}\u{4}\0\0META-INF/container.xml")
        }
    }

    @Test func otherFilesAreCalledByTheirName() {
        for (text, kind) in [
            ("fLaC\0\0", "a sound file"), ("RIFF....WAVE", "a sound file"), ("PK\u{3}\u{4}", "an archive"),
            ("BZh91", "a Sonic Visualiser session"), ("<museScore version='3'>", "a score"),
            ("1,0\0.5", "a binary file"),
        ] {
            let error = #expect(throws: MeasureTimesError.self) { try read(text) }
            guard case .notMeasureTimes(_, kind, _) = error else {
                Issue.record("\(kind) was taken for \(String(describing: error))")
                continue
            }
        }
        #expect(throws: MeasureTimesError.self) {
            try MeasureTimesFileReader.parse([0xFF, 0xFE, 0x00, 0xD8], path: "times")
        }
    }

    @Test func filesAreReadFromDisk() throws {
        try inATemporaryFolder { folder in
            let path = folder + "/times.txt"
            try Fixture.csv.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try MeasureTimesFileReader.read(path: path).marks == Fixture.sixMeasures)
        }
    }

    @Test func whatIsNoReadableFileIsRefusedAtOnce() throws {
        try inATemporaryFolder { folder in
            let missing = #expect(throws: MeasureTimesError.self) {
                try MeasureTimesFileReader.read(path: folder + "/missing")
            }
            #expect(missing?.sentence.hasSuffix("cannot be read: No such file or directory.") == true)
            #expect(throws: MeasureTimesError.notRegularFile(path: folder)) {
                try MeasureTimesFileReader.read(path: folder)
            }
            #expect(throws: MeasureTimesError.notRegularFile(path: "/dev/zero")) {
                try MeasureTimesFileReader.read(path: "/dev/zero")
            }
            let pipe = folder + "/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            #expect(throws: MeasureTimesError.notRegularFile(path: pipe)) {
                try MeasureTimesFileReader.read(path: pipe)
            }
            let large = folder + "/large"
            #expect(FileManager.default.createFile(atPath: large, contents: nil))
            #expect(truncate(large, MeasureTimesLimits.fileBytes + 1) == 0)
            #expect(
                throws: MeasureTimesError.tooLarge(path: large, limitBytes: MeasureTimesLimits.fileBytes)
            ) { try MeasureTimesFileReader.read(path: large) }
        }
    }

    @Test func formatsAreChosenByName() {
        #expect(MeasureTimesFormatChoice(name: "automatic") == .automatic)
        #expect(MeasureTimesFormatChoice(name: "sonic-visualiser") == .specified(.sonicVisualiser))
        #expect(MeasureTimesFormatChoice(name: "excel") == nil)
        #expect(
            MeasureTimesFormatChoice.acceptedNames.allSatisfy { MeasureTimesFormatChoice(name: $0) != nil })
    }

    @Test func valuesInSentencesAreShortAndInOneLine() {
        let error = row(3, .notATime("a\nb\u{202E}" + String(repeating: "x", count: 500)))
        #expect(error.sentence.hasPrefix("times, line 3: “a b x"))
        #expect(error.sentence.utf8.count < 200)
        #expect(!error.sentence.contains("\n"))
    }

    @Test func aMapIsMadeWithTheFilesEndOrTheGivenOne() throws {
        let given = ReferenceTime(seconds: 20)
        #expect(try read(Fixture.csv).makeMeasureMap(end: given).end == ReferenceTime(seconds: 12))
        #expect(try read("1,0.5\n").makeMeasureMap(end: given).end == given)
        #expect(throws: MeasureMapFault.onsetsNotRising(row: 1, printed: 2, seconds: 0.25, before: 0.5)) {
            try read("1,0.5\n2,0.25\n").makeMeasureMap(end: given)
        }
    }

    private func inATemporaryFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }
}
