import Basics

/// A MIDI message as people write it in cues and settings: what it is, and its fields in any order, such as
/// `msc-go class=sound cue=12 list=1`, `program number=5 channel=2`, `note number=60` or `controller number=7 value=0`.
///
/// As a message, fields that are left out have their usual value. As a pattern, they may have any.
public struct MIDIText: Hashable, Sendable {
    private let name: String
    private let fields: [String: String]

    /// - Throws: ``ExplainedError`` if it is no such message.
    public init(_ text: String) throws(ExplainedError) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first, let known = Self.fields[name] else {
            throw ExplainedError(
                "“\(text.prefix(60))” is no MIDI message; it begins with one of \(Self.names.joined(separator: ", "))."
            )
        }
        var fields: [String: String] = [:]
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let values = known[parts[0]] else {
                throw ExplainedError(
                    "“\(word.prefix(40))” is no field of \(name); write some of "
                        + known.keys.sorted().map { "\($0)=…" }.joined(separator: ", ") + ".")
            }
            guard fields[parts[0]] == nil else { throw ExplainedError("\(name) has \(parts[0]) twice.") }
            guard values.contains(parts[1]) else {
                throw ExplainedError("“\(word.prefix(40))”: \(parts[0]) is \(values.sentence).")
            }
            fields[parts[0]] = values.canonical(parts[1])
        }
        guard known["number"] == nil || fields["number"] != nil else {
            throw ExplainedError("\(name) needs number=0 to number=127.")
        }
        guard fields["path"] == nil || fields["list"] != nil else {
            throw ExplainedError("\(name) has a path without a list; give list=… too.")
        }
        (self.name, self.fields) = (name, fields)
    }

    /// The message, with the usual values of the fields that the text leaves out.
    public var message: MIDIMessage {
        func value(_ field: String, _ usual: Int) -> Int { fields[field].flatMap { Int($0) } ?? usual }
        let (channel, number) = (value("channel", 1), value("number", 0))
        switch name {
        case "note": return .note(channel: channel, number: number, velocity: value("velocity", 100))
        case "controller": return .controller(channel: channel, number: number, value: value("value", 127))
        case "program": return .program(channel: channel, number: number)
        default:
            return .showControl(
                MIDIShowControl(
                    Self.commands[name] ?? .go, deviceClass: Self.classes[fields["class"] ?? ""] ?? .lighting,
                    device: value("device", MIDIShowControl.allDevices), cue: fields["cue"] ?? "",
                    list: fields["list"] ?? "", path: fields["path"] ?? ""))
        }
    }

    /// True if the text names this field.
    public func names(_ field: String) -> Bool { fields[field] != nil }

    /// True if a message is one of those that the text stands for as a pattern. A command to all devices is for each.
    public func matches(_ message: MIDIMessage) -> Bool {
        let found = Self.description(of: message)
        return found.name == name
            && fields.allSatisfy { field, value in
                found.fields[field] == value || field == "device" && found.fields[field] == "all"
                    || field == "class" && found.fields[field] == "all"
            }
    }

    private static func description(of message: MIDIMessage) -> (name: String, fields: [String: String]) {
        switch message {
        case .note(let channel, let number, let velocity):
            ("note", ["channel": "\(channel)", "number": "\(number)", "velocity": "\(velocity)"])
        case .controller(let channel, let number, let value):
            ("controller", ["channel": "\(channel)", "number": "\(number)", "value": "\(value)"])
        case .program(let channel, let number):
            ("program", ["channel": "\(channel)", "number": "\(number)"])
        case .showControl(let command):
            (
                commands.first { $0.value == command.command }?.key ?? "",
                [
                    "class": classes.first { $0.value == command.deviceClass }?.key ?? "",
                    "device": command.device == MIDIShowControl.allDevices ? "all" : "\(command.device)",
                    "cue": command.cue, "list": command.list, "path": command.path,
                ]
            )
        }
    }

    /// The values that a field may have.
    private enum Values {
        case numbers(ClosedRange<Int>)
        /// 0 to 111, or all.
        case device
        case deviceClass
        case cueNumber

        func contains(_ text: String) -> Bool {
            switch self {
            case .numbers(let range): Int(text).map(range.contains) ?? false
            case .device: text == "all" || Int(text).map((0...111).contains) ?? false
            case .deviceClass: classes[text] != nil
            case .cueNumber: MIDIShowControl.isNumber(text)
            }
        }

        /// Numbers without leading zeros, so that a pattern compares texts.
        func canonical(_ text: String) -> String {
            switch self {
            case .numbers, .device: Int(text).map(String.init) ?? text
            case .deviceClass, .cueNumber: text
            }
        }

        var sentence: String {
            switch self {
            case .numbers(let range): "\(range.lowerBound) to \(range.upperBound)"
            case .device: "0 to 111, or all"
            case .deviceClass: "lighting, sound, video or all"
            case .cueNumber: "up to \(MIDIShowControl.longestNumber) digits and points"
            }
        }
    }

    private static let classes: [String: MIDIShowControl.DeviceClass] = [
        "lighting": .lighting, "sound": .sound, "video": .video, "all": .all,
    ]
    private static let commands: [String: MIDIShowControl.Command] = [
        "msc-go": .go, "msc-stop": .stop, "msc-resume": .resume, "msc-go-off": .goOff,
    ]
    private static let showControl: [String: Values] = [
        "class": .deviceClass, "device": .device, "cue": .cueNumber, "list": .cueNumber, "path": .cueNumber,
    ]
    private static let fields: [String: [String: Values]] = [
        "msc-go": showControl, "msc-stop": showControl, "msc-resume": showControl, "msc-go-off": showControl,
        "program": ["number": .numbers(0...127), "channel": .numbers(1...16)],
        "note": ["number": .numbers(0...127), "velocity": .numbers(0...127), "channel": .numbers(1...16)],
        "controller": ["number": .numbers(0...127), "value": .numbers(0...127), "channel": .numbers(1...16)],
    ]
    private static let names = [
        "msc-go", "msc-stop", "msc-resume", "msc-go-off", "program", "note", "controller",
    ]
}
