import Testing

@testable import baton

@Suite struct PassphraseTests {
    /// `baton ctl` signs in with it, also in a terminal; `baton user` gives it to an account, if a script calls it.
    @Test(arguments: [true, false])
    func thePassphraseOfTheEnvironmentIsTaken(isNew: Bool) throws {
        let environment = ["BATON_PASSPHRASE": "four plain words here", "HOME": "/root"]
        let read = try readPassphrase(
            for: "anna", isNew: isNew, environment: environment, isTerminal: !isNew)
        #expect(read == "four plain words here")
    }
}
