import Basics

extension OSCPacket {
    /// Decodes one packet; any malformed byte sequence throws.
    ///
    /// Text must be UTF-8, padding must be zero, and no bytes may be left over. A message without type tags is
    /// accepted if it has no arguments either.
    /// - Complexity: O(bytes).
    public init(bytes: [UInt8], limits: OSCLimits = OSCLimits()) throws(ExplainedError) {
        guard bytes.count <= limits.packetBytes else {
            throw ExplainedError(
                "The packet has \(bytes.count) bytes; at most \(limits.packetBytes) are read. Send "
                    + "fewer messages in one packet.")
        }
        guard !bytes.isEmpty else { throw ExplainedError("The packet is empty.") }
        guard bytes.count % 4 == 0 else {
            throw ExplainedError(
                "The packet has \(bytes.count) bytes; the length of an OSC packet is a multiple of four.")
        }
        var reading = OSCPacketDecoder(bytes: bytes, limits: limits)
        self = try reading.decodePacket(until: bytes.count, depth: 0)
    }
}

/// Decodes the bytes of a packet in one pass.
private struct OSCPacketDecoder {
    static let bundleMark = Array("#bundle".utf8) + [0]

    let bytes: [UInt8]
    let limits: OSCLimits
    private var offset = 0
    private var elementCount = 0

    init(bytes: [UInt8], limits: OSCLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func decodePacket(until end: Int, depth: Int) throws(ExplainedError) -> OSCPacket {
        switch bytes[offset] {
        case UInt8(ascii: "/"): return .message(try decodeMessage(until: end))
        case UInt8(ascii: "#"): return .bundle(try decodeBundle(until: end, depth: depth + 1))
        default:
            throw ExplainedError(
                "The packet starts neither with '/' nor with '#bundle'; is the sender set to OSC 1.0?")
        }
    }

    private mutating func decodeBundle(until end: Int, depth: Int) throws(ExplainedError) -> OSCBundle {
        guard end - offset >= 8 else { throw OSCFault.endsTooEarly(at: end, missing: 8 - (end - offset)) }
        guard bytes[offset..<offset + 8].elementsEqual(Self.bundleMark) else {
            throw ExplainedError(
                "The packet starts neither with '/' nor with '#bundle'; is the sender set to OSC 1.0?")
        }
        guard depth <= limits.nesting else {
            throw ExplainedError("Bundles are nested more than \(limits.nesting) deep.")
        }
        offset += 8
        let time = OSCTimeTag(rawValue: try readWord64(until: end))
        var inside: [OSCPacket] = []
        while offset < end {
            elementCount += 1
            guard elementCount <= limits.elements else {
                throw ExplainedError("The packet has more than \(limits.elements) messages and bundles.")
            }
            let start = offset
            let size = Int32(bitPattern: try readWord32(until: end))
            guard size > 0, size % 4 == 0 else {
                throw ExplainedError("The bundle element at byte \(start) cannot have \(size) bytes.")
            }
            guard Int(size) <= end - offset else {
                throw OSCFault.endsTooEarly(at: end, missing: Int(size) - (end - offset))
            }
            inside.append(try decodePacket(until: offset + Int(size), depth: depth))
        }
        return OSCBundle(inside, timeTag: time)
    }

    private mutating func decodeMessage(until end: Int) throws(ExplainedError) -> OSCMessage {
        let start = offset
        let address = try readString(until: end)
        for (offset, byte) in address.utf8.enumerated() where byte <= 0x20 || byte >= 0x7F || byte == 0x23 {
            throw ExplainedError(
                "Byte \(start + offset) of the address is a space or a special character; arguments "
                    + "do not belong there.")
        }
        guard offset < end else { return OSCMessage(address) }
        let tagsStart = offset
        guard bytes[offset] == UInt8(ascii: ",") else {
            throw ExplainedError("There is no type tag string (',…') at byte \(offset).")
        }
        let tags = try readString(until: end).utf8.dropFirst()
        guard tags.count <= limits.arguments else {
            throw ExplainedError("A message has more than \(limits.arguments) arguments.")
        }
        var arguments: [OSCArgument] = []
        arguments.reserveCapacity(tags.count)
        for (offset, tag) in tags.enumerated() {
            arguments.append(try decodeArgument(tag, tagAt: tagsStart + 1 + offset, until: end))
        }
        guard offset == end else {
            throw ExplainedError(
                "\(end - offset) bytes are left over after the last argument, at byte \(offset).")
        }
        return OSCMessage(address, arguments)
    }

    private mutating func decodeArgument(_ tag: UInt8, tagAt: Int, until end: Int) throws(ExplainedError)
        -> OSCArgument
    {
        switch tag {
        case UInt8(ascii: "i"): return .int(Int32(bitPattern: try readWord32(until: end)))
        case UInt8(ascii: "f"): return .float(Float(bitPattern: try readWord32(until: end)))
        case UInt8(ascii: "s"): return .string(try readString(until: end))
        case UInt8(ascii: "b"): return .blob(try readBlob(until: end))
        case UInt8(ascii: "T"): return .yes
        case UInt8(ascii: "F"): return .no
        case UInt8(ascii: "N"): return .nothing
        case UInt8(ascii: "I"): return .impulse
        case UInt8(ascii: "h"): return .long(Int64(bitPattern: try readWord64(until: end)))
        case UInt8(ascii: "d"): return .double(Double(bitPattern: try readWord64(until: end)))
        case UInt8(ascii: "t"): return .timeTag(OSCTimeTag(rawValue: try readWord64(until: end)))
        default: throw OSCFault.unknownTypeTag(tag: tag, at: tagAt)
        }
    }

    private mutating func readWord32(until end: Int) throws(ExplainedError) -> UInt32 {
        guard end - offset >= 4 else { throw OSCFault.endsTooEarly(at: end, missing: 4 - (end - offset)) }
        let word = bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        offset += 4
        return word
    }

    private mutating func readWord64(until end: Int) throws(ExplainedError) -> UInt64 {
        guard end - offset >= 8 else { throw OSCFault.endsTooEarly(at: end, missing: 8 - (end - offset)) }
        let word = bytes[offset..<offset + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        offset += 8
        return word
    }

    private mutating func readString(until end: Int) throws(ExplainedError) -> String {
        let start = offset
        guard let zero = bytes[start..<end].firstIndex(of: 0) else {
            throw ExplainedError("The text at byte \(start) has no zero at its end.")
        }
        guard let text = String(validating: bytes[start..<zero], as: UTF8.self) else {
            throw ExplainedError("The text at byte \(start) is not UTF-8.")
        }
        offset = zero + 1
        try skipPadding(until: end)
        return text
    }

    private mutating func readBlob(until end: Int) throws(ExplainedError) -> [UInt8] {
        let start = offset
        let size = Int32(bitPattern: try readWord32(until: end))
        guard size >= 0 else { throw ExplainedError("The blob at byte \(start) cannot have \(size) bytes.") }
        guard Int(size) <= end - offset else {
            throw OSCFault.endsTooEarly(at: end, missing: Int(size) - (end - offset))
        }
        let blob = Array(bytes[offset..<offset + Int(size)])
        offset += Int(size)
        try skipPadding(until: end)
        return blob
    }

    /// Skips the padding to the next multiple of four. Every element starts at a multiple of four bytes from the
    /// start of the packet, so the position in the packet decides.
    private mutating func skipPadding(until end: Int) throws(ExplainedError) {
        while offset % 4 != 0 {
            guard offset < end else { throw OSCFault.endsTooEarly(at: end, missing: 4 - offset % 4) }
            guard bytes[offset] == 0 else {
                throw ExplainedError("Byte \(offset) is padding and must be zero.")
            }
            offset += 1
        }
    }
}
