import ArgumentParser
import Basics
import Foundation
import Hosting
import Repository
import SettingsFiles
import Testing

@testable import baton

/// The file of `baton serve --config`, and the one that the package installs.
@Suite struct SettingsFileArgumentsTests {
    private static let installed = Repository.root.appending(path: "docs/deploy/baton.yaml")

    private func arguments(_ yaml: String, besides words: [String] = []) throws -> SettingsFileArguments {
        try SettingsFileArguments(
            try SettingsFile(yaml: yaml, path: "baton.yaml"),
            givenOnCommandLine: CommandOptions.ofServe.findGiven(in: words[...]).names)
    }

    private func serve(_ yaml: String, besides words: [String] = []) throws -> ServeCommand {
        let all = try arguments(yaml, besides: words).insert(into: ["serve"] + words)
        return try #require(try BatonCommand.parseAsRoot(all) as? ServeCommand)
    }

    private func sentence(_ yaml: String) -> String? {
        #expect(throws: ExplainedError.self) { try arguments(yaml) }?.sentence
    }

    @Test func theFileSaysWhatTheOptionsSay() throws {
        let command = try serve(
            """
            programme: [first, second]
            http: 127.0.0.1:9000
            origin: https://baton.example.org
            osc-allow:
              - 192.168.1.20
              - fd00::/8
            new: true
            no-sign-in: no
            multicast: false
            check-seconds: 12
            osc-passphrase: "-x= 1"
            """)
        #expect(command.programme == "first,second")
        #expect(
            command.server.http == "127.0.0.1:9000" && command.server.origin == ["https://baton.example.org"])
        #expect(command.control.oscAllow == ["192.168.1.20", "fd00::/8"])
        #expect(command.server.new && !command.server.noSignIn && !command.packets.multicast)
        #expect(command.server.checkSeconds == 12 && command.control.oscPassphrase == "-x= 1")
    }

    @Test func theCommandLineTakesThePlaceOfTheFile() throws {
        let file = """
            programme: first
            http: 127.0.0.1:9000
            osc-allow: [10.0.0.1, 10.0.0.2]
            multicast: false
            loop: 3
            """
        let command = try serve(
            file, besides: ["--http=127.0.0.1:9001", "--osc-allow", "10.0.0.9", "other", "--multicast"])
        #expect(command.programme == "other" && command.server.http == "127.0.0.1:9001")
        #expect(command.control.oscAllow == ["10.0.0.9"] && command.packets.multicast && command.loop == 3)
        #expect(try !serve("programme: a\nmulticast: true", besides: ["--no-multicast"]).packets.multicast)
    }

    @Test func onlyServeWithConfigReadsAFile() throws {
        let missing = "/nowhere/baton.yaml"
        #expect(try SettingsFileArguments.read(namedIn: ["serve", "a"]) == nil)
        #expect(try SettingsFileArguments.read(namedIn: ["follow", "a", "--config", missing]) == nil)
        #expect(try SettingsFileArguments.read(namedIn: ["serve", "--config", missing, "--help"]) == nil)
        for words in [
            ["serve", "--config", missing], ["serve", "--http", "--config", "--config=\(missing)"],
        ] {
            let error = #expect(throws: ExplainedError.self) {
                try SettingsFileArguments.read(namedIn: words)
            }
            #expect(error?.sentence == "/nowhere/baton.yaml cannot be read: there is no such file.")
        }
    }

    @Test func whatIsWrongIsToldWithItsLine() {
        #expect(
            sentence("programme: a\nhtpp: 127.0.0.1:80")
                == "baton.yaml, line 2: there is no setting “htpp”; “http” may be meant.")
        #expect(sentence("tls_key: a")?.hasSuffix("“tls-key” may be meant.") == true)
        #expect(sentence("colour: red")?.hasSuffix("as baton help serve lists them.") == true)
        #expect(sentence("config: other.yaml")?.contains("no setting “config”") == true)
        #expect(sentence("\nnew: perhaps") == "baton.yaml, line 2: “new” is true or false, not “perhaps”.")
        #expect(sentence("http: [a, b]") == "baton.yaml, line 1: “http” takes one value, no list.")
    }

    @Test func anErrorThatSpeaksOfASettingSaysWhereItStands() throws {
        let file = try arguments("http: 8080\nlink: a:1\nlink-key: /etc/key\ndevice: hw:7\nnew: true")
        #expect(
            file.places(in: "--http is ADDRESS:PORT, not “8080”.") == " (baton.yaml: “http” in line 1.)")
        #expect(
            file.places(in: "--link and --backup-of need --link-key.")
                == " (baton.yaml: “link” in line 2, “link-key” in line 3.)")
        #expect(file.places(in: "There is no device “hw:7”.") == " (baton.yaml: “device” in line 4.)")
        #expect(file.places(in: "There is no device “hw:70”.").isEmpty)
        let overridden = try arguments("http: 8080", besides: ["--http", "8080"])
        #expect(overridden.places(in: "--http is ADDRESS:PORT, not “8080”.").isEmpty)
    }

    @Test func aWrongValueIsNamedByTheParserToo() throws {
        let words = try arguments("programme: a\nloop: often").insert(into: ["serve"])
        let error = #expect(throws: (any Error).self) { try BatonCommand.parseAsRoot(words) }
        let told = BatonCommand.parserError(try #require(error), about: words)
        #expect(told?.sentence.contains("--loop") == true)
    }

    // MARK: The file that the package installs

    /// The lines of the installed file that set something once their # is taken away, with their names.
    private func examples() throws -> [(name: String, yaml: String)] {
        let text = try String(contentsOf: Self.installed, encoding: .utf8)
        var found: [(name: String, yaml: String)] = []
        for line in text.split(separator: "\n") {
            if let match = try /^#?([a-z-]+):( .*)?$/.firstMatch(in: line) {
                found.append((String(match.1), String(line.drop { $0 == "#" })))
            } else if line.starts(with: "#  - ") {
                found[found.count - 1].yaml += "\n" + line.dropFirst()
            }
        }
        return found
    }

    @Test func everyOptionIsInTheInstalledFileOnce() throws {
        let shown = CommandOptions.ofServe.settings.filter { $0.value.shouldDisplay }.keys
        #expect(try examples().map(\.name).sorted() == shown.sorted())
    }

    @Test func everyExampleOfTheInstalledFileIsUnderstood() throws {
        // Options that some settings require.
        let beside = ["link": "link-key: /etc/baton/link.key", "backup-of": "link-key: /etc/baton/link.key"]
        for (name, yaml) in try examples() {
            let file = ["programme: a", yaml, beside[name] ?? ""].dropFirst(name == "programme" ? 1 : 0)
            #expect(throws: Never.self, "\(yaml)") { try serve(file.joined(separator: "\n")) }
        }
    }

    /// The installed file shows each default that the command has.
    @Test func theInstalledFileShowsTheDefaults() throws {
        let text = try String(contentsOf: Self.installed, encoding: .utf8)
        for (name, option) in CommandOptions.ofServe.settings where option.shouldDisplay {
            guard let value = option.defaultValue else { continue }
            let written = option.kind == .flag ? "true" : value
            #expect(
                text.contains("#\(name): \(written)\n") || text.contains("(default: \(written))"), "\(name)")
        }
    }

    @Test func theInstalledFileServesTheSmallConcert() throws {
        let command = try serve(String(contentsOf: Self.installed, encoding: .utf8))
        #expect(command.programme == "/usr/share/baton/Recordings/concert.json")
        #expect(command.server.http == "127.0.0.1:8080" && !command.server.noSignIn)
    }
}
