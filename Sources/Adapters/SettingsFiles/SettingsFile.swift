import Basics
import Foundation
import Yams

/// A file of settings: YAML of one level, a line `name: value` for each setting.
///
/// ```yaml
/// http: 192.168.1.10:8443
/// osc-allow:
///   - 192.168.1.20
///   - 192.168.1.21
/// ```
///
/// A value is a text, a number or true and false; a list holds several. What the names mean is the reader's affair.
public struct SettingsFile: Equatable, Sendable {
    /// A setting with its values, as they are written.
    public struct Setting: Equatable, Sendable {
        public var name: String
        public var values: [Value]
        /// True if the values are a list, even one of a single value.
        public var isList: Bool
        /// The line of the name, from 1.
        public var line: Int
    }

    /// One value, not yet interpreted.
    public struct Value: Equatable, Sendable {
        public var text: String
        /// The line of the value, from 1.
        public var line: Int

        public init(text: String, line: Int) {
            self.text = text
            self.line = line
        }
    }

    static let mostBytes = 1_048_576

    public let path: String
    /// The settings in the order of the file.
    public let settings: [Setting]

    /// Reads a file.
    /// - Throws: ``ExplainedError``.
    public init(path: String) throws(ExplainedError) {
        let bytes: Data
        do {
            // One byte more than is allowed shows that the file is too long; a device or a pipe cannot fill the memory.
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            bytes = try file.read(upToCount: Self.mostBytes + 1) ?? Data()
        } catch { throw SettingsFileError.unreadable(path: path, reason: Self.reason(for: error)) }
        guard bytes.count <= Self.mostBytes else {
            throw SettingsFileError.unreadable(
                path: path, reason: "it is larger than \(Self.mostBytes) bytes")
        }
        guard let decoded = DecodedText(Array(bytes)), !decoded.isGuess else {
            throw SettingsFileError.unreadable(path: path, reason: "it is not text in UTF-8 or UTF-16")
        }
        try self.init(yaml: decoded.text, path: path)
    }

    /// Reads the text of a file.
    /// - Parameter path: what errors call the file.
    public init(yaml: String, path: String) throws(ExplainedError) {
        self.path = path
        let root: Node?
        do { root = try Yams.compose(yaml: yaml) } catch {
            throw Self.syntaxError(error, in: yaml, path: path)
        }
        guard let root else {
            settings = []
            return
        }
        guard case .mapping(let mapping) = root else {
            throw ExplainedError(
                "\(path), line \(root.mark?.line ?? 1): a setting is written “name: value”, with a "
                    + "space after the colon.")
        }
        var found: [Setting] = []
        for (key, node) in mapping {
            let line = key.mark?.line ?? 1
            guard case .scalar(let name) = key else {
                throw ExplainedError(
                    "\(path), line \(line): a setting is written “name: value”, with a space after the colon."
                )
            }
            found.append(try Self.readSetting(name.string, node, line: line, path: path))
        }
        settings = found
    }

    private static func readSetting(
        _ name: String, _ node: Node, line: Int, path: String
    ) throws(ExplainedError) -> Setting {
        guard case .sequence(let list) = node else {
            return Setting(
                name: name, values: [try readValue(of: name, node, line: line, path: path)], isList: false,
                line: line)
        }
        var values: [Value] = []
        for item in list { values.append(try readValue(of: name, item, line: line, path: path)) }
        return Setting(name: name, values: values, isList: true, line: line)
    }

    private static func readValue(
        of name: String, _ node: Node, line: Int, path: String
    ) throws(ExplainedError) -> Value {
        let line = node.mark?.line ?? line
        guard case .scalar(let scalar) = node else {
            throw ExplainedError(
                "\(path), line \(line): “\(name)” takes a value or a list of values, no settings of its "
                    + "own; write further settings at the beginning of their lines.")
        }
        // Without quotation marks these words are YAML for "nothing".
        guard scalar.style != .plain || !["", "~", "null", "Null", "NULL"].contains(scalar.string) else {
            throw ExplainedError(
                "\(path), line \(line): “\(name)” has no value; write one after the colon, or put # "
                    + "before the line.")
        }
        return Value(text: scalar.string, line: line)
    }

    private static func syntaxError(
        _ error: any Error, in yaml: String, path: String
    ) -> ExplainedError {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ExplainedError(
                "\(path), line \(mark.line): this is not YAML (\(problem)); write a setting as “name: value”."
            )
        case .duplicatedKeysInMapping(let names, let context):
            ExplainedError(
                "\(path), line \(lastLine(naming: names.first ?? "", in: yaml) ?? context.mark.line): "
                    + "“\(names.first ?? "")” is set twice; keep one of them. Several values are a list.")
        case .reader(let problem, _, _, _): SettingsFileError.unreadable(path: path, reason: problem)
        default: SettingsFileError.unreadable(path: path, reason: "\(error)")
        }
    }

    /// The last line that begins with a name; the parser tells only where the group of settings begins.
    private static func lastLine(naming name: String, in yaml: String) -> Int? {
        yaml.split(separator: "\n", omittingEmptySubsequences: false).lastIndex { $0.hasPrefix(name + ":") }
            .map { $0 + 1 }
    }

    private static func reason(for error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile, .fileNoSuchFile: "there is no such file"
        case .fileReadNoPermission: "this user may not read it"
        default: error.localizedDescription
        }
    }
}
