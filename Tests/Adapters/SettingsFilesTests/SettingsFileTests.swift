import Basics
import Foundation
import SettingsFiles
import Testing

@Suite struct SettingsFileTests {
    private func read(_ yaml: String) throws(ExplainedError) -> [SettingsFile.Setting] {
        try SettingsFile(yaml: yaml, path: "baton.yaml").settings
    }

    @Test func eachSettingKnowsItsLine() throws {
        let found = try read(
            "# where\nhttp: 127.0.0.1:8080\n\nosc-allow:\n  - 10.0.0.1\n  - 'fd00::/8'\nrate: 44100\n")
        #expect(found.map(\.name) == ["http", "osc-allow", "rate"])
        #expect(found.map(\.line) == [2, 4, 7])
        #expect(found[0].values == [SettingsFile.Value(text: "127.0.0.1:8080", line: 2)])
        #expect(
            found[1].values.map(\.text) == ["10.0.0.1", "fd00::/8"] && found[1].values.map(\.line) == [5, 6])
        #expect(found.map(\.isList) == [false, true, false])
    }

    @Test func valuesStayAsTheyAreWritten() throws {
        let found = try read("a: 0.10\nb: yes\nc: \"~\"\nd: [one, 'two, three']\n")
        #expect(found.map { $0.values.map(\.text) } == [["0.10"], ["yes"], ["~"], ["one", "two, three"]])
    }

    @Test func aFileOfCommentsSetsNothing() throws {
        #expect(try read("").isEmpty)
        #expect(try read("# http: 127.0.0.1:8080\n").isEmpty)
    }

    @Test(arguments: [
        ("a: 1\nb\n", "line 3: this is not YAML ("),
        ("- a\n- b\n", "line 1: a setting is written “name: value”, with a space after the colon."),
        ("a: 1\n\nb:\n", "line 3: “b” has no value; write one after the colon, or put # before the line."),
        ("a: 1\nb: ~\n", "line 2: “b” has no value; write one after the colon, or put # before the line."),
        ("a:\n  b: 1\n", "line 2: “a” takes a value or a list of values, no settings of its own; "),
        ("a:\n  - [1, 2]\n", "line 2: “a” takes a value or a list of values, no settings of its own; "),
        ("x: 1\na: 1\na: 2\n", "line 3: “a” is set twice; keep one of them. Several values are a list."),
        ("a: \"b\n", "line 2: this is not YAML ("),
    ])
    func whatIsNoSettingIsToldWithItsLine(_ yaml: String, _ sentence: String) throws {
        let error = try #require(throws: ExplainedError.self) { try read(yaml) }
        #expect(error.sentence.hasPrefix("baton.yaml, " + sentence), "\(error)")
        #expect(!error.sentence.contains("YAML ()"))
    }

    @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian])
    func everyEncodingOfEditorsIsRead(_ encoding: String.Encoding) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try #require("\u{FEFF}title: Fête\n".data(using: encoding)).write(to: file)
        let setting = try #require(SettingsFile(path: file.path).settings.first)
        #expect(setting.name == "title")
        #expect(setting.values.map(\.text) == ["Fête"])
    }

    @Test func aFileThatCannotBeReadSaysWhy() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = folder.appending(path: "none.yaml").path
        #expect(throws: SettingsFileError.unreadable(path: missing, reason: "there is no such file")) {
            try SettingsFile(path: missing)
        }
        let binary = folder.appending(path: "binary.yaml")
        try Data([0xFF, 0xFE, 0x00, 0xD8]).write(to: binary)
        let reason = "it is not text in UTF-8 or UTF-16"
        #expect(throws: SettingsFileError.unreadable(path: binary.path, reason: reason)) {
            try SettingsFile(path: binary.path)
        }
        #expect(throws: ExplainedError.self) { try SettingsFile(path: folder.path) }
        #expect(throws: ExplainedError.self) { try SettingsFile(path: "/dev/zero") }
    }
}
