import ArgumentParser
import Basics
import Foundation
import Hosting
import SettingsFiles

/// The settings file of `baton serve --config`, as words of a command line.
///
/// The options of the command are the settings of the file: `--http` is `http:`, the pieces are `programme:`. A setting
/// that is given on the command line too is left out here, with all its values.
struct SettingsFileArguments: Sendable {
    /// The setting for the argument without a name: what is played.
    static let programmeSetting = "programme"

    /// The settings file of this run, for errors that name a setting; nil if there is none.
    @TaskLocal static var inUse: SettingsFileArguments?

    /// A setting in force, and where it stands.
    private struct PlacedSetting {
        var name: String
        /// The options as errors write them: `--http`, `--multicast`, `--no-multicast`.
        var options: [String]
        var values: [SettingsFile.Value]
        var line: Int
    }

    /// The words that the settings stand for.
    let words: [String]
    private let path: String
    private let placed: [PlacedSetting]

    /// Reads the settings file that a command line names with `--config`.
    /// - Parameter commandLine: the words after `baton`.
    /// - Returns: nil if the command is not `serve`, names no file, or asks for help.
    /// - Throws: ``ExplainedError`` with the line, if the file cannot be read or a setting is not one of the command's.
    static func read(namedIn commandLine: [String]) throws -> SettingsFileArguments? {
        // The options are described only if a file may be named, because that takes tens of milliseconds of each start.
        guard commandLine.first == ServeCommand._commandName,
            commandLine.contains(where: { $0.contains(CommandOptions.settingsFileOption) })
        else { return nil }
        let options = CommandOptions.ofServe
        let given = options.findGiven(in: commandLine.dropFirst())
        guard !given.wantsHelp, let path = given.settingsPath else { return nil }
        let file = try SettingsFile(path: path)
        return try SettingsFileArguments(file, options: options, givenOnCommandLine: given.names)
    }

    /// Makes words of the settings.
    /// - Parameter givenOnCommandLine: the settings that the command line sets; they are left out.
    init(
        _ file: SettingsFile, options: CommandOptions = .ofServe, givenOnCommandLine: Set<String> = []
    ) throws {
        path = file.path
        var (words, placed): ([String], [PlacedSetting]) = ([], [])
        for setting in file.settings {
            let place = "\(file.path), line \(setting.line): "
            guard let option = options.settings[setting.name] else {
                throw ExplainedError(
                    place + "there is no setting “\(setting.name)”; "
                        + options.advice(insteadOf: setting.name))
            }
            let found = try Self.makeWords(of: setting, option, place: place)
            guard !givenOnCommandLine.contains(setting.name) else { continue }
            words += found
            placed.append(
                PlacedSetting(
                    name: setting.name, options: option.longNames.map { "--" + $0 }, values: setting.values,
                    line: setting.line))
        }
        (self.words, self.placed) = (words, placed)
    }

    /// The command line with the words of the file after the command's name.
    func insert(into commandLine: [String]) -> [String] {
        Array(commandLine.prefix(1)) + words + commandLine.dropFirst()
    }

    private static func makeWords(
        of setting: SettingsFile.Setting, _ option: CommandOptions.Option, place: String
    ) throws -> [String] {
        let texts = setting.values.map(\.text)
        if option.kind == .positional { return [texts.joined(separator: ",")] }
        guard !setting.isList || option.isRepeating else {
            throw ExplainedError(place + "“\(setting.name)” takes one value, no list.")
        }
        guard option.kind == .flag else { return texts.map { "--\(setting.name)=\($0)" } }
        switch texts.first?.lowercased() {
        case "true", "yes", "on": return ["--\(setting.name)"]
        case "false", "no", "off": return option.longNames.dropFirst().prefix(1).map { "--\($0)" }
        default:
            throw ExplainedError(
                place + "“\(setting.name)” is true or false, not “\(texts.first ?? "")”.")
        }
    }

    /// Says where the settings stand that an error speaks of: those whose options it names, else those whose values.
    /// - Returns: a sentence in brackets with a space before it; empty if the error speaks of none.
    func places(in sentence: String) -> String {
        var found = placed.filter { setting in
            setting.options.contains { sentence.containsWord($0, madeOf: { $0.isLetter || $0 == "-" }) }
        }.map { ($0.name, $0.line) }
        if found.isEmpty {
            found = placed.flatMap { setting in
                setting.values.filter {
                    $0.text.count >= 3 && sentence.containsWord($0.text) { $0.isLetter || $0.isNumber }
                }.map { (setting.name, $0.line) }
            }
        }
        guard !found.isEmpty else { return "" }
        return " (\(path): " + found.map { "“\($0)” in line \($1)" }.joined(separator: ", ") + ".)"
    }
}

extension String {
    /// True if the text occurs and is not a part of a longer word.
    /// - Parameter madeOf: which characters words are made of.
    fileprivate func containsWord(_ word: String, madeOf isPart: (Character) -> Bool) -> Bool {
        ranges(of: word).contains { range in
            (range.lowerBound == startIndex || !isPart(self[index(before: range.lowerBound)]))
                && (range.upperBound == endIndex || !isPart(self[range.upperBound]))
        }
    }
}
