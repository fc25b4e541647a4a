import Foundation
import Platform

/// A PDF without what its pictures and programs say about their makers: the Exif and XMP data of photographs in it,
/// such as the place; its own XMP data; and, in its list of facts, everything but title and times.
///
/// Each part is overwritten in its place, so that the file keeps its length and its table of places stays right. What
/// is seen stays as it is. Source: ISO 32000-1, 7.3 to 7.5.
public enum CleanPDF {
    /// - Returns: nil if the PDF is encrypted, so that nothing in it can be read, or if a picture in it does not fit
    ///   into its place any more.
    /// - Cost: one pass over the bytes, and decompressing what is compressed twice.
    public static func clean(_ bytes: [UInt8]) -> [UInt8]? {
        var file = PDFBytes(bytes)
        let streams = file.streams()
        guard !file.isEncrypted(streams) else { return nil }
        let facts = file.numberOfFacts(streams)
        if let facts { file.blankFacts(inObject: facts, streams) }
        for stream in streams where !file.clean(stream, facts: facts) { return nil }
        return file.bytes
    }
}

/// The bytes of a PDF, with what is found in them.
private struct PDFBytes {
    var bytes: [UInt8]

    /// A stream: its dictionary and its data.
    struct Stream {
        var dictionary: Range<Int>
        var data: Range<Int>
    }

    /// A decompressed stream is read up to this length.
    static let mostStreamBytes = 64 << 20
    /// Names in the list of facts whose texts stay.
    static let keptFacts: Set<String> = ["Title", "CreationDate", "ModDate", "Trapped"]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    // MARK: Finding

    func find(_ word: String, from start: Int, to end: Int) -> Int? {
        let wanted = Array(word.utf8)
        guard start >= 0, end <= bytes.count, end - start >= wanted.count else { return nil }
        return bytes.withUnsafeBytes { all in
            var at = start
            while at + wanted.count <= end,
                let found = memchr(all.baseAddress! + at, Int32(wanted[0]), end - at - wanted.count + 1)
            {
                at = UnsafeRawPointer(found) - all.baseAddress!
                if memcmp(found, wanted, wanted.count) == 0 { return at }
                at += 1
            }
            return nil
        }
    }

    func isBlank(_ at: Int) -> Bool { [0, 9, 10, 12, 13, 32].contains(bytes[at]) }

    /// All streams in the order of the file. Their data end at the word after them, unless their length is given.
    func streams() -> [Stream] {
        var found: [Stream] = []
        var at = 0
        while let word = find("stream", from: at, to: bytes.count) {
            at = word + 6
            guard at < bytes.count, bytes[at] == 10 || bytes[at] == 13, let heading = dictionary(before: word)
            else { continue }
            let start = at + (bytes[at] == 13 && at + 1 < bytes.count && bytes[at + 1] == 10 ? 2 : 1)
            let length = number(named: "Length", in: heading)
            var end = find("endstream", from: start, to: bytes.count) ?? bytes.count
            // A picture may contain the word.
            if let length, start + length <= bytes.count, start + length > end,
                find("endstream", from: start + length, to: min(start + length + 12, bytes.count)) != nil
            {
                end = start + length
            }
            if let length, start + length < end { end = start + length }
            found.append(Stream(dictionary: heading, data: start..<end))
            at = end
        }
        return found
    }

    /// The dictionary that ends before a place.
    private func dictionary(before word: Int) -> Range<Int>? {
        var end = word
        while end > 0, isBlank(end - 1) { end -= 1 }
        guard end >= 2, bytes[end - 1] == UInt8(ascii: ">"), bytes[end - 2] == UInt8(ascii: ">") else {
            return nil
        }
        var (at, depth) = (end, 0)
        while at >= 2, end - at < 65_536 {
            if bytes[at - 1] == UInt8(ascii: ">"), bytes[at - 2] == UInt8(ascii: ">") {
                depth += 1
                at -= 2
            } else if bytes[at - 1] == UInt8(ascii: "<"), bytes[at - 2] == UInt8(ascii: "<") {
                depth -= 1
                at -= 2
                if depth == 0 { return at..<end }
            } else {
                at -= 1
            }
        }
        return nil
    }

    /// The place after a name in a dictionary, without blanks.
    private func place(after name: String, in range: Range<Int>) -> Int? {
        var from = range.lowerBound
        while let found = find("/" + name, from: from, to: range.upperBound) {
            from = found + name.utf8.count + 1
            guard from < range.upperBound else { return nil }
            // The name may go on.
            if isBlank(from) || "/[(<".utf8.contains(bytes[from]) {
                while from < range.upperBound, isBlank(from) { from += 1 }
                return from
            }
        }
        return nil
    }

    private func digits(_ at: inout Int, to end: Int) -> Int? {
        let start = at
        while at < end, (0x30...0x39).contains(bytes[at]), at - start < 12 { at += 1 }
        return Int(String(decoding: bytes[start..<at], as: UTF8.self))
    }

    /// A number of a dictionary; nil if it has none, or refers to another object.
    private func number(named name: String, in range: Range<Int>) -> Int? {
        guard var at = place(after: name, in: range), let value = digits(&at, to: range.upperBound) else {
            return nil
        }
        return reference(named: name, in: range) == nil ? value : nil
    }

    /// The number of the object to which a name of a dictionary refers: `/Info 12 0 R`.
    private func reference(named name: String, in range: Range<Int>) -> Int? {
        guard var at = place(after: name, in: range), let object = digits(&at, to: range.upperBound) else {
            return nil
        }
        let rest = String(decoding: bytes[at..<min(at + 12, range.upperBound)], as: UTF8.self)
        return rest.firstMatch(of: #/^\s+\d+\s+R/#) == nil ? nil : object
    }

    private func has(_ name: String, _ value: String, in range: Range<Int>) -> Bool {
        guard let at = place(after: name, in: range) else { return false }
        return find("/" + value, from: at, to: min(range.upperBound, at + 80)) != nil
    }

    /// The dictionaries that lead to all others: of trailers, and of streams that are tables of places.
    private func leadingDictionaries(_ streams: [Stream]) -> [Range<Int>] {
        var found = streams.map(\.dictionary).filter { has("Type", "XRef", in: $0) }
        var at = 0
        while let word = find("trailer", from: at, to: bytes.count) {
            at = word + 7
            found.append(at..<(find("startxref", from: at, to: bytes.count) ?? bytes.count))
        }
        return found
    }

    func isEncrypted(_ streams: [Stream]) -> Bool {
        leadingDictionaries(streams).contains { place(after: "Encrypt", in: $0) != nil }
    }

    /// The number of the object that is the list of facts.
    func numberOfFacts(_ streams: [Stream]) -> Int? {
        leadingDictionaries(streams).lazy.compactMap { reference(named: "Info", in: $0) }.first
    }

    // MARK: Overwriting

    mutating func blank(_ range: Range<Int>, with byte: UInt8 = 32) {
        for at in range { bytes[at] = byte }
    }

    /// Blanks the facts that stand plainly in the file, in each of its versions.
    mutating func blankFacts(inObject number: Int, _ streams: [Stream]) {
        var at = 0
        while let found = find("\(number) 0 obj", from: at, to: bytes.count) {
            at = found + 6
            let isWhole = found == 0 || !(0x30...0x39).contains(bytes[found - 1])
            guard isWhole, !streams.contains(where: { $0.data.contains(found) }) else { continue }
            blankTexts(in: at..<(find("endobj", from: at, to: bytes.count) ?? bytes.count))
        }
    }

    /// Blanks the texts of a dictionary but those of ``keptFacts``.
    mutating func blankTexts(in range: Range<Int>) {
        var (at, name) = (range.lowerBound, "")
        while at < range.upperBound {
            switch bytes[at] {
            case UInt8(ascii: "/"):
                let start = at + 1
                at = start
                while at < range.upperBound, !isBlank(at), !"/[]()<>".utf8.contains(bytes[at]) { at += 1 }
                name = String(decoding: bytes[start..<at], as: UTF8.self)
            case UInt8(ascii: "("):
                let start = at + 1
                var depth = 1
                at = start
                while at < range.upperBound, depth > 0 {
                    if bytes[at] == UInt8(ascii: "\\") {
                        at += 1
                    } else if bytes[at] == UInt8(ascii: "(") {
                        depth += 1
                    } else if bytes[at] == UInt8(ascii: ")") {
                        depth -= 1
                    }
                    at += 1
                }
                if !Self.keptFacts.contains(name) { blank(start..<max(start, min(at, range.upperBound) - 1)) }
            case UInt8(ascii: "<") where at + 1 < range.upperBound && bytes[at + 1] != UInt8(ascii: "<"):
                let start = at + 1
                while at < range.upperBound, bytes[at] != UInt8(ascii: ">") { at += 1 }
                // Blanks count for nothing in a text of this kind.
                if !Self.keptFacts.contains(name) { blank(start..<at) }
            case UInt8(ascii: "<"): at += 2
            default: at += 1
            }
        }
    }

    /// - Returns: false if what it says about its maker stays.
    mutating func clean(_ stream: Stream, facts: Int?) -> Bool {
        let (heading, data) = (stream.dictionary, stream.data)
        let isPacked = has("Filter", "FlateDecode", in: heading) || has("Filter", "Fl", in: heading)
        let isPacket = find("<?xpacket begin", from: data.lowerBound, to: data.upperBound) != nil
        if has("Type", "Metadata", in: heading)
            || !isPacked && isPacket && !PictureBlanking.isPicture(bytes, data)
        {
            guard isPacked, replacePacked(data, by: []) else {
                blank(data)
                return true
            }
        } else if !isPacked {
            bytes.withUnsafeMutableBufferPointer { PictureBlanking.clean($0, data) }
        } else if has("Filter", "DCTDecode", in: heading) || has("Filter", "DCT", in: heading) {
            guard var picture = unpacked(data) else { return true }
            let (before, whole) = (picture, 0..<picture.count)
            picture.withUnsafeMutableBufferPointer { PictureBlanking.clean($0, whole) }
            return picture == before || replacePacked(data, by: picture)
        } else if let facts, has("Type", "ObjStm", in: heading) {
            guard let content = unpacked(data), let first = number(named: "First", in: heading) else {
                return true
            }
            var part = PDFBytes(content)
            guard let range = part.object(facts, first: first) else { return true }
            part.blankTexts(in: range)
            return part.bytes == content || replacePacked(data, by: part.bytes)
        }
        return true
    }

    /// The place of an object in a decompressed stream of objects, whose numbers and places stand before them.
    func object(_ wanted: Int, first: Int) -> Range<Int>? {
        guard (0...bytes.count).contains(first) else { return nil }
        let numbers = String(decoding: bytes[..<first], as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .compactMap { Int($0) }
        for index in stride(from: 0, to: numbers.count - 1, by: 2) where numbers[index] == wanted {
            let start = first + numbers[index + 1]
            let end = index + 3 < numbers.count ? first + numbers[index + 3] : bytes.count
            return start >= first && start <= end && end <= bytes.count ? start..<end : nil
        }
        return nil
    }

    // MARK: Compressed streams

    private struct Unreadable: Error {}

    /// The content of a stream that zlib compressed; nil if it is damaged, predicted from pixels, or too long.
    private func unpacked(_ data: Range<Int>) -> [UInt8]? {
        guard data.count > 6 else { return nil }
        var (rest, made) = (Array(bytes[data.dropFirst(2)]), [UInt8]())
        do throws(Unreadable) {
            try Deflate.decompress { () throws(Unreadable) in
                defer { rest = [] }
                return rest
            } take: { part throws(Unreadable) in
                made += part
                if made.count > Self.mostStreamBytes { throw Unreadable() }
            } naming: { _ in
                Unreadable()
            }
            return made
        } catch { return nil }
    }

    /// Puts other content in the place of a compressed stream. What the shorter one leaves is filled with blanks.
    /// - Returns: false if it does not fit; nothing is changed then.
    private mutating func replacePacked(_ data: Range<Int>, by content: [UInt8]) -> Bool {
        let nothing: [UInt8]? = content.isEmpty ? [0x03, 0x00] : nil
        guard let body = nothing ?? Deflate.compressIfSmaller(content) else { return false }
        let packed = [0x78, 0x9C] + body + adler(content)
        guard packed.count <= data.count else { return false }
        blank(data)
        bytes.replaceSubrange(data.lowerBound..<data.lowerBound + packed.count, with: packed)
        return true
    }

    /// The checksum of zlib. Source: RFC 1950.
    private func adler(_ content: [UInt8]) -> [UInt8] {
        var (one, two): (UInt32, UInt32) = (1, 0)
        for byte in content {
            one = (one + UInt32(byte)) % 65_521
            two = (two + one) % 65_521
        }
        return [UInt8(two >> 8), UInt8(two & 0xFF), UInt8(one >> 8), UInt8(one & 0xFF)]
    }
}

/// Overwrites what a picture says about its maker with zeros, so that it keeps its length.
private enum PictureBlanking {
    static func isPicture(_ bytes: some RandomAccessCollection<UInt8>, _ range: Range<Int>) -> Bool {
        isJPEG(Array(bytes.dropFirst(range.lowerBound).prefix(12)))
            || isJPEG2000(Array(bytes.dropFirst(range.lowerBound).prefix(12)))
    }

    private static func isJPEG(_ head: [UInt8]) -> Bool { head.starts(with: [0xFF, 0xD8, 0xFF]) }

    private static func isJPEG2000(_ head: [UInt8]) -> Bool { head.dropFirst(4).starts(with: "jP  ".utf8) }

    static func clean(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>) {
        guard range.count > 12 else { return }
        let head = Array(bytes[range.lowerBound..<range.lowerBound + 12])
        if isJPEG(head) { cleanJPEG(bytes, range) } else if isJPEG2000(head) { cleanJPEG2000(bytes, range) }
    }

    private static func cleanJPEG(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>) {
        for part in JPEGCleaning.partsToBlank(Array(bytes[range])) {
            for at in part { bytes[range.lowerBound + at] = 0 }
        }
    }

    /// Boxes of XML and of other programs become free space. Source: ISO 15444-1, annex I.
    private static func cleanJPEG2000(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>) {
        var at = range.lowerBound
        while at + 8 <= range.upperBound {
            var length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            if length == 0 { length = range.upperBound - at }
            guard length >= 8, at + length <= range.upperBound else { return }
            let kind = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            if ["xml ", "uuid", "uinf"].contains(kind) {
                for (offset, letter) in "free".utf8.enumerated() { bytes[at + 4 + offset] = letter }
                for place in at + 8..<at + length { bytes[place] = 0 }
            }
            at += length
        }
    }
}
