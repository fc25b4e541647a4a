import ArgumentParser
import Foundation

/// The options of a command, as the command itself describes them.
struct CommandOptions: Sendable {
    enum Kind: String, Decodable { case positional, option, flag }

    /// An argument, an option or a flag of a command.
    struct Option: Decodable, Sendable {
        struct Name: Decodable, Sendable {
            var kind: String
            var name: String
        }

        var kind: Kind
        var isRepeating: Bool
        /// False for options that help does not list.
        var shouldDisplay: Bool
        var names: [Name]?
        var defaultValue: String?

        /// The names that are written after two dashes; the second of a flag is the one that turns it off.
        var longNames: [String] { (names ?? []).filter { $0.kind == "long" }.map(\.name) }
    }

    /// The settings that a command line gives, as far as a settings file must know them.
    struct GivenOptions {
        /// The names of the settings that it sets.
        var names: Set<String> = []
        var settingsPath: String?
        var wantsHelp = false
    }

    /// The setting behind a name on the command line.
    private struct NamedOption {
        var setting: String
        var takesValue: Bool
    }

    private struct Description: Decodable {
        struct Command: Decodable {
            var arguments: [Option]?
        }

        var command: Command
    }

    /// The option that names the settings file.
    static let settingsFileOption = "config"

    static let ofServe = CommandOptions(of: ServeCommand.self)

    /// The options by the names that a settings file uses.
    let settings: [String: Option]
    private let optionsByName: [String: NamedOption]

    init(of command: any ParsableArguments.Type) {
        // The parser writes this description itself, so it can be read.
        guard
            let description = try? JSONDecoder().decode(
                Description.self, from: Data(command._dumpHelp().utf8))
        else { preconditionFailure("the argument parser's description of \(command) cannot be read") }
        let options = description.command.arguments ?? []
        let flags = Set(options.filter { $0.kind == .flag }.flatMap(\.longNames))
        var (settings, byName): ([String: Option], [String: NamedOption]) = ([:], [:])
        for option in options {
            guard let long = option.longNames.first else {
                settings[SettingsFileArguments.programmeSetting] = option
                continue
            }
            // `--no-multicast` is no setting of its own: it says that `multicast` is false.
            let turnsOff = long.hasPrefix("no-") && flags.contains(String(long.dropFirst(3)))
            let setting = turnsOff ? String(long.dropFirst(3)) : long
            for name in option.longNames {
                byName[name] = NamedOption(setting: setting, takesValue: option.kind == .option)
            }
            if turnsOff {
                settings[setting]?.names? += option.names ?? []
            } else if ![Self.settingsFileOption, "help", "version"].contains(long) {
                settings[setting] = option
            }
        }
        (self.settings, optionsByName) = (settings, byName)
    }

    /// Finds which settings a command line sets.
    /// - Parameter words: the words after the command's name.
    func findGiven(in words: ArraySlice<String>) -> GivenOptions {
        var given = GivenOptions()
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                if !rest.isEmpty { given.names.insert(SettingsFileArguments.programmeSetting) }
                break
            }
            if word == "-h" || word == "--help" { given.wantsHelp = true }
            guard word.hasPrefix("-"), word != "-" else {
                given.names.insert(SettingsFileArguments.programmeSetting)
                continue
            }
            let parts = word.drop { $0 == "-" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = String(parts.first ?? "")
            guard let named = optionsByName[option] else { continue }
            var value = parts.count > 1 ? String(parts[1]) : nil
            if value == nil, named.takesValue { value = rest.popFirst() }
            if named.setting == Self.settingsFileOption {
                given.settingsPath = value
            } else {
                given.names.insert(named.setting)
            }
        }
        return given
    }

    /// Says what could be meant by an unknown setting.
    func advice(insteadOf unknown: String) -> String {
        let written = unknown.lowercased().replacing("_", with: "-")
        let nearest = settings.keys.sorted().map { ($0, Self.editDistance($0, written)) }.min { $0.1 < $1.1 }
        guard let nearest, nearest.1 <= 2 else {
            return "the settings are the options of baton serve, as baton help serve lists them."
        }
        return "“\(nearest.0)” may be meant."
    }

    /// The number of letters to insert, delete or replace to make one text of the other.
    /// - Complexity: the product of both lengths.
    static func editDistance(_ first: String, _ second: String) -> Int {
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
