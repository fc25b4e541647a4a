import Basics
import Testing

@testable import Hosting
@testable import baton

@Suite struct ProcessLimitsTests {
    @Test func enoughOfBothAndNoLimitAtAllPass() throws {
        let requirement = ProcessLimits.Requirement(openFiles: 256, addressSpaceMebibytes: 900)
        try ProcessLimits.checkSystemLimits(requirement, files: nil, bytes: nil)
        try ProcessLimits.checkSystemLimits(requirement, files: 256, bytes: 900 << 20)
    }

    @Test func tooFewFilesOrTooLittleMemoryIsASentenceWithBothNumbers() {
        let files = #expect(throws: ExplainedError.self) {
            try ProcessLimits.checkSystemLimits(ProcessLimits.requirement(of: "serve"), files: 20, bytes: nil)
        }
        #expect(files?.sentence.contains("only 20 files") == true && files?.sentence.contains("160") == true)
        let memory = #expect(throws: ExplainedError.self) {
            try ProcessLimits.checkSystemLimits(
                ProcessLimits.requirement(of: "serve"), files: nil, bytes: 600 << 20)
        }
        #expect(memory?.sentence.contains("only 600 MB") == true)
    }
}
