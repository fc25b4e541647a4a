import Testing

@testable import baton

@Suite struct PassphraseTests {
    /// `baton ctl` signs in with it, `baton user` gives it to an account; neither asks then.
    @Test(arguments: [true, false])
    func thePassphraseOfTheEnvironmentIsTaken(isNew: Bool) throws {
        let environment = ["BATON_PASSPHRASE": "four plain words here", "HOME": "/root"]
        let read = try readPassphrase(for: "anna", isNew: isNew, environment: environment)
        #expect(read == "four plain words here")
    }
}
