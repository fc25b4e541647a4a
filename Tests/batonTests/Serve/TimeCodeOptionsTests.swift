import ArgumentParser
import Basics
import Testing
import TimeCodeSending

@testable import TestHelpers
@testable import baton

/// The options of time code.
@Suite struct TimeCodeOptionsTests {
    private func settings(_ arguments: String...) throws -> TimeCodeSettings {
        try TimeCodeOutputOptions.parse(arguments).makeSettings()
    }

    @Test func speedsAndPortsAreAsGiven() throws {
        let made = try settings("--time-code-speeds", "0.8-1.25", "--midi-clock", "/dev/snd/midiC1D0")
        #expect(made.clock.speeds == 0.8...1.25 && made.clockPort == "/dev/snd/midiC1D0" && !made.isEmpty)
        #expect(try settings().isEmpty)
    }

    @Test func anotherRecordingsBarLinesAreReadFromItsFile() throws {
        let folder = try ServeFolder()
        try folder.write("measure,time\n1,0.5\n2,2.5\n3,4\n", to: "film.csv")
        let made = try settings("--time-code-recording", "2=\(folder.path)/film.csv")
        #expect(made.recordings == [2: [0.5, 2.5, 4]])
    }

    @Test(arguments: [
        ["--time-code-start", "1=01:00:00:00", "--time-code-start", "1=02:00:00:00"],
        ["--time-code-speeds", "1"], ["--time-code-speeds", "0-2"], ["--time-code-speeds", "0.5-9"],
        ["--time-code-speeds", "1.2-1.5"], ["--time-code-recording", "film.csv"],
        ["--time-code-recording", "1=/no/such/file.csv"],
    ]) func whatCannotBeIsRefusedWithASentence(arguments: [String]) throws {
        let error = #expect(throws: ExplainedError.self) {
            _ = try TimeCodeOutputOptions.parse(arguments).makeSettings()
        }
        #expect(error?.sentence.hasPrefix("--time-code-") == true)
    }
}
