import Testing

@testable import baton
@testable import Hosting

@Suite struct ProcessLimitsTests {
    @Test func enoughOfBothAndNoLimitAtAllPass() throws {
        let need = ProcessLimits.Need(files: 256, megabytes: 900)
        try ProcessLimits.check(need, files: nil, bytes: nil)
        try ProcessLimits.check(need, files: 256, bytes: 900 << 20)
    }

    @Test func tooFewFilesOrTooLittleMemoryIsASentenceWithBothNumbers() {
        let files = #expect(throws: LiveFailure.self) {
            try ProcessLimits.check(ProcessLimits.need(of: "serve"), files: 20, bytes: nil)
        }
        #expect(files?.sentence.contains("only 20 files") == true && files?.sentence.contains("160") == true)
        let memory = #expect(throws: LiveFailure.self) {
            try ProcessLimits.check(ProcessLimits.need(of: "serve"), files: nil, bytes: 600 << 20)
        }
        #expect(memory?.sentence.contains("only 600 MB") == true)
    }
}
