import Basics
import Testing

@testable import Console
@testable import Hosting
@testable import Performance
@testable import baton

@Suite struct CtlWordsTests {
    @Test func optionsAreFoundBehindTheCommandToo() throws {
        let read = try ServerControlArguments(["status", "--server", "https://hall:8443", "--user=anna"])
        #expect(read.commandWords == ["status"])
        #expect(read.serverAddress == "https://hall:8443")
        #expect(read.userName == "anna")
        #expect(!read.wantsHelp)
    }

    @Test func argumentsThatBeginWithADashStay() throws {
        #expect(try ServerControlArguments(["nudge", "-1"]).commandWords == ["nudge", "-1"])
        #expect(
            try ServerControlArguments(["note", "--", "--server", "is slow"]).commandWords == [
                "note", "--server", "is slow",
            ])
    }

    @Test(arguments: ["--help", "-h"]) func helpIsNoArgument(word: String) throws {
        let read = try ServerControlArguments(["go", word])
        #expect(read.wantsHelp)
        #expect(read.commandWords == ["go"])
    }

    @Test(arguments: ["--server", "--user"]) func anOptionWithoutAValueIsRefused(option: String) {
        #expect(throws: ExplainedError("The option \(option) needs a value.")) {
            _ = try ServerControlArguments(["status", option])
        }
        #expect(throws: ExplainedError("The option \(option) needs a value.")) {
            _ = try ServerControlArguments([option, "--user=anna", "status"])
        }
    }
}
