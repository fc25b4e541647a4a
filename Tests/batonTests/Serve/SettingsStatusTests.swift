import ArgumentParser
import Testing

@testable import baton

/// Settings that make no sense end a command with status 64, with which systemd does not start it again.
@Suite struct SettingsStatusTests {
    @Test(arguments: [
        ["--http", "8080"], ["--origin", "baton.example.org"], ["--trusted-proxy", "proxy"],
        ["--http", "0.0.0.0:8080", "--no-sign-in"], ["--tls-certificate", "hall.pem"],
        ["--osc", "everywhere"], ["--osc-allow", "hall"], ["--osc-target", "desk"], ["--mqtt-user", "anna"],
        ["--mqtt", "hall"],
    ])
    func ofServe(words: [String]) async throws {
        let command = try #require(
            try BatonCommand.parseAsRoot(["serve", "--data", "/nonexistent/data"] + words) as? ServeCommand)
        await #expect(throws: ExitCode.validationFailure, "\(words)") { try await command.run() }
    }

    @Test(arguments: [
        ["--push", "8091"], ["--push", "http://10.0.0.5/publish"], ["--push", "ftp://127.0.0.1/publish"],
        ["--mqtt", "broker"],
    ])
    func ofRelay(words: [String]) async throws {
        let command = try #require(
            try BatonCommand.parseAsRoot(["relay", "--mqtt", "127.0.0.1:1883"] + words) as? RelayCommand)
        await #expect(throws: ExitCode.validationFailure, "\(words)") { try await command.run() }
    }

    @Test func rootDoesNotWorkInTheServersFolder() throws {
        func refusal(_ user: UInt32, _ owner: UInt32) -> String? {
            RecordingsCommand.StoreOption.refusal(
                ofUser: user, inFolderOf: (owner, "baton"), "/var/lib/baton")
        }
        #expect(refusal(0, 0) == nil)
        #expect(refusal(999, 999) == nil)
        let sentence = try #require(refusal(0, 999))
        #expect(sentence.contains("sudo -u baton baton recordings"))
    }
}
