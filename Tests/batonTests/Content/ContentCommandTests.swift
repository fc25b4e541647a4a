import Testing

@testable import baton

@Suite struct ContentCommandTests {
    @Test func whoeverImportsDuringALockedShowReadsWhenListenersGetIt() {
        #expect(
            ContentCommand.Import.importMessage(1, isServed: true).contains(
                "the old concert until the show is unlocked"))
    }
}
