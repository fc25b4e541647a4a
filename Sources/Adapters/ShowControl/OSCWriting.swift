import Basics

extension OSCPacket {
    /// Encodes the packet.
    /// - Throws: ``ExplainedError`` for what the format cannot express: an address without '/', a zero inside a text, more
    ///   than the limits allow.
    public func encodedBytes(limits: OSCLimits = OSCLimits()) throws(ExplainedError) -> [UInt8] {
        var bytes: [UInt8] = []
        var elements = 0
        try appendEncoded(to: &bytes, limits: limits, depth: 0, elements: &elements)
        guard bytes.count <= limits.packetBytes else {
            throw ExplainedError(
                "The packet has \(bytes.count) bytes; at most \(limits.packetBytes) are read. Send "
                    + "fewer messages in one packet.")
        }
        return bytes
    }

    private func appendEncoded(
        to bytes: inout [UInt8], limits: OSCLimits, depth: Int, elements: inout Int
    ) throws(ExplainedError) {
        switch self {
        case .message(let message):
            try message.appendEncoded(to: &bytes, limits: limits)
        case .bundle(let bundle):
            guard depth < limits.nesting else {
                throw ExplainedError("Bundles are nested more than \(limits.nesting) deep.")
            }
            bytes.append(text: "#bundle")
            bytes.append(word64: bundle.timeTag.rawValue)
            for element in bundle.packets {
                elements += 1
                guard elements <= limits.elements else {
                    throw ExplainedError("The packet has more than \(limits.elements) messages and bundles.")
                }
                var inside: [UInt8] = []
                try element.appendEncoded(to: &inside, limits: limits, depth: depth + 1, elements: &elements)
                bytes.append(word32: UInt32(inside.count))
                bytes += inside
            }
        }
    }
}

extension OSCMessage {
    /// Encodes the message as a packet of its own.
    public func encodedBytes(limits: OSCLimits = OSCLimits()) throws(ExplainedError) -> [UInt8] {
        try OSCPacket.message(self).encodedBytes(limits: limits)
    }

    fileprivate func appendEncoded(to bytes: inout [UInt8], limits: OSCLimits) throws(ExplainedError) {
        guard address.utf8.first == UInt8(ascii: "/") else {
            throw ExplainedError("The address '\(address)' does not start with '/'.")
        }
        for (offset, byte) in address.utf8.enumerated() where byte <= 0x20 || byte >= 0x7F || byte == 0x23 {
            throw ExplainedError(
                "Byte \(offset) of the address is a space or a special character; arguments do not "
                    + "belong there.")
        }
        guard arguments.count <= limits.arguments else {
            throw ExplainedError("A message has more than \(limits.arguments) arguments.")
        }
        bytes.append(text: address)
        bytes.append(text: typeTags)
        for argument in arguments {
            switch argument {
            case .int(let value): bytes.append(word32: UInt32(bitPattern: value))
            case .float(let value): bytes.append(word32: value.bitPattern)
            case .string(let text):
                guard !text.utf8.contains(0) else {
                    throw ExplainedError("The text '\(text.filter { $0 != "\0" })' has a zero byte inside.")
                }
                bytes.append(text: text)
            case .blob(let blob):
                bytes.append(word32: UInt32(blob.count))
                bytes += blob
                bytes.padToFour()
            case .yes, .no, .nothing, .impulse: break
            case .long(let value): bytes.append(word64: UInt64(bitPattern: value))
            case .double(let value): bytes.append(word64: value.bitPattern)
            case .timeTag(let tag): bytes.append(word64: tag.rawValue)
            }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(word32 word: UInt32) {
        for shift in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
    }

    fileprivate mutating func append(word64 word: UInt64) {
        append(word32: UInt32(word >> 32))
        append(word32: UInt32(truncatingIfNeeded: word))
    }

    fileprivate mutating func append(text: String) {
        append(contentsOf: text.utf8)
        append(0)
        padToFour()
    }

    /// Appends zero bytes up to a multiple of four, where the next element must start.
    fileprivate mutating func padToFour() {
        while count % 4 != 0 { append(0) }
    }
}
