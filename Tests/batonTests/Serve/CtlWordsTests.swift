import Testing

@testable import baton
@testable import Console
@testable import Hosting
@testable import Performance

@Suite struct CtlWordsTests {
    @Test func optionsAreFoundBehindTheCommandToo() throws {
        let read = try CtlArguments(["status", "--server", "https://hall:8443", "--user=anna"])
        #expect(read.words == ["status"])
        #expect(read.server == "https://hall:8443")
        #expect(read.user == "anna")
        #expect(!read.wantsHelp)
    }

    @Test func argumentsThatBeginWithADashStay() throws {
        #expect(try CtlArguments(["nudge", "-1"]).words == ["nudge", "-1"])
        #expect(
            try CtlArguments(["note", "--", "--server", "is slow"]).words == ["note", "--server", "is slow"])
    }

    @Test(arguments: ["--help", "-h"]) func helpIsNoArgument(word: String) throws {
        let read = try CtlArguments(["go", word])
        #expect(read.wantsHelp)
        #expect(read.words == ["go"])
    }

    @Test(arguments: ["--server", "--user"]) func anOptionWithoutAValueIsRefused(option: String) {
        #expect(throws: ExplainedError(sentence: "The option \(option) needs a value.")) {
            _ = try CtlArguments(["status", option])
        }
        #expect(throws: ExplainedError(sentence: "The option \(option) needs a value.")) {
            _ = try CtlArguments([option, "--user=anna", "status"])
        }
    }
}
