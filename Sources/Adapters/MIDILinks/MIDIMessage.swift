/// A message by which show programs, desks and controllers command each other over MIDI.
public enum MIDIMessage: Hashable, Sendable {
    /// - Parameter velocity: 0…127; 0 is a key that is released.
    case note(channel: Int, number: Int, velocity: Int)
    case controller(channel: Int, number: Int, value: Int)
    case program(channel: Int, number: Int)
    case showControl(MIDIShowControl)

    /// Reads a whole message, as ``MIDIStreamDecoder`` gives it.
    /// - Returns: nil if it is none of these.
    public init?(bytes: [UInt8]) {
        guard let status = bytes.first, status < 0xF0 else {
            guard let command = MIDIShowControl(bytes: bytes) else { return nil }
            self = .showControl(command)
            return
        }
        let (channel, data) = (Int(status & 15) + 1, bytes.dropFirst().map { Int($0) })
        switch (status >> 4, data.count) {
        case (0x8, 2): self = .note(channel: channel, number: data[0], velocity: 0)
        case (0x9, 2): self = .note(channel: channel, number: data[0], velocity: data[1])
        case (0xB, 2): self = .controller(channel: channel, number: data[0], value: data[1])
        case (0xC, 1): self = .program(channel: channel, number: data[0])
        default: return nil
        }
    }

    /// The message as it is sent.
    public var bytes: [UInt8] {
        switch self {
        case .note(let channel, let number, let velocity):
            [0x90 | UInt8(channel - 1), UInt8(number), UInt8(velocity)]
        case .controller(let channel, let number, let value):
            [0xB0 | UInt8(channel - 1), UInt8(number), UInt8(value)]
        case .program(let channel, let number): [0xC0 | UInt8(channel - 1), UInt8(number)]
        case .showControl(let command): command.bytes
        }
    }
}

/// A command of MIDI Show Control (MMA RP-002): `F0 7F device 02 class command data F7`.
public struct MIDIShowControl: Hashable, Sendable {
    public enum Command: UInt8, Sendable, CaseIterable {
        case go = 0x01
        case stop = 0x02
        case resume = 0x03
        case goOff = 0x0B
    }

    /// The class of devices that a command is for (“command format”).
    public enum DeviceClass: UInt8, Sendable, CaseIterable {
        case lighting = 0x01
        case sound = 0x10
        case video = 0x30
        case all = 0x7F
    }

    /// The device that stands for all.
    public static let allDevices = 127
    /// The longest number of a cue, list or path, in digits and points.
    public static let longestNumber = 32

    public var command: Command
    public var deviceClass: DeviceClass
    /// 0…111, or ``allDevices``.
    public var device: Int
    /// Digits and points; empty if the command names none. A list needs a cue or stands for a whole list; a path needs a
    /// list.
    public var cue: String
    public var list: String
    public var path: String

    public init(
        _ command: Command, deviceClass: DeviceClass = .lighting, device: Int = allDevices, cue: String = "",
        list: String = "", path: String = ""
    ) {
        (self.command, self.deviceClass, self.device) = (command, deviceClass, device)
        (self.cue, self.list, self.path) = (cue, list, path)
    }

    /// True if a text is a number of a cue, list or path, such as `12.5`.
    static func isNumber(_ text: String) -> Bool {
        (1...longestNumber).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    }

    init?(bytes: [UInt8]) {
        guard bytes.count >= 7, bytes[0] == 0xF0, bytes[1] == 0x7F, bytes[3] == 0x02, bytes.last == 0xF7,
            let deviceClass = DeviceClass(rawValue: bytes[4]), let command = Command(rawValue: bytes[5])
        else { return nil }
        // An empty field at the end may have its delimiter or not.
        let fields = bytes[6..<(bytes.count - 1)].split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard fields.count <= 3, fields.allSatisfy({ $0.isEmpty || Self.isNumber($0) }) else { return nil }
        self.init(
            command, deviceClass: deviceClass, device: Int(bytes[2]), cue: fields[0],
            list: fields.count > 1 ? fields[1] : "", path: fields.count > 2 ? fields[2] : "")
    }

    var bytes: [UInt8] {
        var fields = [cue, list, path]
        while fields.last == "" { fields.removeLast() }
        return [0xF0, 0x7F, UInt8(device), 0x02, deviceClass.rawValue, command.rawValue]
            + Array(fields.joined(separator: "\0").utf8) + [0xF7]
    }
}
