import Foundation

/// Reads a ZIP file from outside. The list of its files is checked completely before anything is decompressed.
public struct ZipReader {
    /// A file inside the ZIP.
    public struct Entry: Equatable, Sendable {
        /// The file's path inside the ZIP, with folders separated by `/`. It cannot lead out of the target folder.
        public let name: String
        /// The file's size in bytes after decompression.
        public let unpackedByteCount: Int
        let packedByteCount: Int
        let isDeflated: Bool
        let crc32: UInt32
        /// The offset in bytes of the file's local header in the ZIP.
        let localHeaderOffset: Int
    }

    public let entries: [Entry]
    private let handle: FileHandle

    /// Opens a ZIP file and checks the list of its files.
    /// - Throws: ``ZipError`` if the file is not a ZIP, exceeds the limits, or contains paths that lead out of the
    ///   target folder.
    public init(path: String, limits: ZipLimits) throws(ZipError) {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw .unreadable(reason: "there is no such file")
        }
        self.handle = handle
        let size: Int
        do { size = Int(try handle.seekToEnd()) } catch { throw .unreadable(reason: "the disk refused it") }
        entries = try Self.readEntries(handle, size: size, limits: limits)
    }

    /// Decompresses a file, passes its bytes to `take` piece by piece, and checks their CRC-32 at the end.
    func unpackEntry(_ entry: Entry, _ take: ([UInt8]) throws(ZipError) -> Void) throws(ZipError) {
        let header = try Self.readBytes(handle, at: entry.localHeaderOffset, ZipBytes.localHeaderBytes)
        guard ZipBytes.readUInt32(header, 0) == ZipBytes.localHeaderSignature else {
            throw .broken(what: "“\(entry.name)” is not where the list says")
        }
        var at = entry.localHeaderOffset + ZipBytes.localHeaderBytes
        at += Int(ZipBytes.readUInt16(header, 26)) + Int(ZipBytes.readUInt16(header, 28))
        let end = at + entry.packedByteCount
        var check: UInt32 = 0
        func next() throws(ZipError) -> [UInt8] {
            let count = min(Deflate.chunkBytes, end - at)
            guard count > 0 else { return [] }
            let bytes = try Self.readBytes(handle, at: at, count)
            at += count
            return bytes
        }
        func give(_ bytes: [UInt8]) throws(ZipError) {
            check = CRC32.checksum(bytes, after: check)
            try take(bytes)
        }
        if entry.isDeflated {
            var made = 0
            try Deflate.decompress(
                next: next,
                take: { bytes throws(ZipError) in
                    made += bytes.count
                    guard made <= entry.unpackedByteCount else {
                        throw .broken(what: "a file in it is longer than it says")
                    }
                    try give(bytes)
                }, naming: ZipError.init)
            guard made == entry.unpackedByteCount else {
                throw .broken(what: "a file in it is shorter than it says")
            }
        } else {
            while at < end { try give(try next()) }
        }
        guard check == entry.crc32 else {
            throw .broken(what: "“\(entry.name)” has other bytes than it should")
        }
    }

    // MARK: The list of files at the end

    private static func readEntries(_ handle: FileHandle, size: Int, limits: ZipLimits) throws(ZipError)
        -> [Entry]
    {
        guard size >= ZipBytes.endRecordBytes else { throw .notZip }
        let tail = try readBytes(
            handle, at: max(0, size - ZipBytes.endRecordBytes - ZipBytes.longestComment),
            min(size, ZipBytes.endRecordBytes + ZipBytes.longestComment))
        let starts = stride(from: tail.count - ZipBytes.endRecordBytes, through: 0, by: -1)
        guard
            let at = starts.first(where: { at in
                ZipBytes.readUInt32(tail, at) == ZipBytes.endRecordSignature
                    && at + ZipBytes.endRecordBytes + Int(ZipBytes.readUInt16(tail, at + 20)) == tail.count
            })
        else { throw .notZip }
        guard ZipBytes.readUInt16(tail, at + 4) == 0, ZipBytes.readUInt16(tail, at + 6) == 0 else {
            throw .unsupported(what: "one part of several")
        }
        let count = Int(ZipBytes.readUInt16(tail, at + 10))
        let (length, offset) = (
            Int(ZipBytes.readUInt32(tail, at + 12)), Int(ZipBytes.readUInt32(tail, at + 16))
        )
        guard count < 0xFFFF, length < 0xFFFF_FFFF, offset < 0xFFFF_FFFF else {
            throw .unsupported(what: "a large one in the form ZIP64")
        }
        guard count <= limits.mostEntries else {
            throw .tooManyEntries(count: count, limit: limits.mostEntries)
        }
        guard offset + length <= size, length <= count * (limits.longestPathBytes + 1_024) else {
            throw .broken(what: "its list lies outside of the file")
        }
        return try parseDirectory(
            try readBytes(handle, at: offset, length), count, listOffset: offset, limits)
    }

    private static func parseDirectory(
        _ list: [UInt8], _ count: Int, listOffset: Int, _ limits: ZipLimits
    ) throws(ZipError) -> [Entry] {
        var (entries, names): ([Entry], Set<String>) = ([], [])
        var (at, sum) = (0, 0)
        for _ in 0..<count {
            guard at + ZipBytes.centralHeaderBytes <= list.count,
                ZipBytes.readUInt32(list, at) == ZipBytes.centralHeaderSignature
            else { throw .broken(what: "its list ends too early") }
            let nameEnd = at + ZipBytes.centralHeaderBytes + Int(ZipBytes.readUInt16(list, at + 28))
            let next =
                nameEnd + Int(ZipBytes.readUInt16(list, at + 30)) + Int(ZipBytes.readUInt16(list, at + 32))
            guard next <= list.count else { throw .broken(what: "its list ends too early") }
            let name = list[(at + ZipBytes.centralHeaderBytes)..<nameEnd]
            let entry = try parseEntry(list, at, String(validating: name, as: UTF8.self))
            // Unix stores the file type in the upper half of the external attributes.
            let kind = ZipBytes.readUInt32(list, at + 38) >> 16 & 0xF000
            at = next
            if entry.name.hasSuffix("/") || Self.isDesktopMetadata(entry.name) { continue }
            guard kind == 0 || kind == 0x8000 else {
                throw .refusedPath(String(entry.name.prefix(80)), why: "is a link or a device, not a file")
            }
            try checkName(entry.name, limits)
            guard names.insert(entry.name.lowercased()).inserted else {
                throw .refusedPath(String(entry.name.prefix(80)), why: "is there twice")
            }
            guard entry.unpackedByteCount <= limits.mostFileBytes else {
                throw .fileTooLarge(
                    name: String(entry.name.prefix(80)), bytes: entry.unpackedByteCount,
                    limit: limits.mostFileBytes)
            }
            sum += entry.unpackedByteCount
            guard sum <= limits.mostTotalBytes else {
                throw .totalTooLarge(bytes: sum, limit: limits.mostTotalBytes)
            }
            entries.append(entry)
        }
        try checkThatNoneOverlap(entries, end: listOffset)
        return entries
    }

    private static func parseEntry(_ list: [UInt8], _ at: Int, _ text: String?) throws(ZipError) -> Entry {
        guard let name = text, !name.isEmpty else {
            throw .refusedPath("?", why: "has a name that is no UTF-8 text")
        }
        let method = ZipBytes.readUInt16(list, at + 10)
        guard ZipBytes.readUInt16(list, at + 8) & ZipBytes.encryptedFlag == 0 else {
            throw .encrypted(name: String(name.prefix(80)))
        }
        guard method == 0 || method == 8 else {
            throw .unsupported(what: "packed by method \(method)")
        }
        let (packed, unpacked) = (
            Int(ZipBytes.readUInt32(list, at + 20)), Int(ZipBytes.readUInt32(list, at + 24))
        )
        guard method == 8 || packed == unpacked else {
            throw .broken(what: "“\(name.prefix(80))” has two lengths")
        }
        return Entry(
            name: name, unpackedByteCount: unpacked, packedByteCount: packed, isDeflated: method == 8,
            crc32: ZipBytes.readUInt32(list, at + 16),
            localHeaderOffset: Int(ZipBytes.readUInt32(list, at + 42)))
    }

    /// True for files that desktop systems add to a ZIP, such as `.DS_Store`; they are skipped.
    private static func isDesktopMetadata(_ name: String) -> Bool {
        let last = name.split(separator: "/").last ?? ""
        return name.hasPrefix("__MACOSX/") || [".DS_Store", "Thumbs.db", "desktop.ini"].contains(last)
    }

    /// Checks that a path stays inside the folder into which the ZIP is unpacked.
    private static func checkName(_ name: String, _ limits: ZipLimits) throws(ZipError) {
        let shown = String(name.prefix(80))
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard name.utf8.count <= limits.longestPathBytes, parts.count <= limits.mostPathParts else {
            throw .refusedPath(shown, why: "lies too deep, or has too long a name")
        }
        guard parts.allSatisfy({ !$0.isEmpty && $0.first != "." && $0.utf8.count <= 255 }) else {
            throw .refusedPath(shown, why: "leads out of its folder, or is hidden")
        }
        guard
            name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F && $0 != "\\" && $0 != ":" }
            )
        else { throw .refusedPath(shown, why: "holds a sign that no file name should") }
    }

    /// Refuses a ZIP whose files overlap: files that share bytes can unpack to far more data than the ZIP contains.
    private static func checkThatNoneOverlap(_ entries: [Entry], end: Int) throws(ZipError) {
        let sorted = entries.sorted { $0.localHeaderOffset < $1.localHeaderOffset }
        for (index, entry) in sorted.enumerated() {
            let next = index + 1 < sorted.count ? sorted[index + 1].localHeaderOffset : end
            guard entry.localHeaderOffset + ZipBytes.localHeaderBytes + entry.packedByteCount <= next else {
                throw .broken(what: "files in it overlap")
            }
        }
    }

    private static func readBytes(_ handle: FileHandle, at offset: Int, _ count: Int) throws(ZipError)
        -> [UInt8]
    {
        guard count > 0 else { return [] }
        do {
            try handle.seek(toOffset: UInt64(offset))
            let data = try handle.read(upToCount: count) ?? Data()
            guard data.count == count else { throw ZipError.broken(what: "it is cut off") }
            return Array(data)
        } catch {
            throw error as? ZipError ?? .unreadable(reason: "the disk refused it")
        }
    }
}

extension ZipReader {
    /// Unpacks all files into a folder, which is made if it does not exist. Existing files are overwritten.
    public func unpack(into folder: String) throws(ZipError) {
        for entry in entries {
            let path = "\(folder)/\(entry.name)"
            let above = URL(fileURLWithPath: path).deletingLastPathComponent()
            do { try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true) } catch
            {
                throw ZipWriter.makeError(error)
            }
            guard FileManager.default.createFile(atPath: path, contents: nil),
                let file = FileHandle(forWritingAtPath: path)
            else { throw .notWritten(reason: "a file cannot be made") }
            defer { try? file.close() }
            try unpackEntry(entry) { bytes throws(ZipError) in
                do { try file.write(contentsOf: Data(bytes)) } catch { throw ZipWriter.makeError(error) }
            }
        }
    }
}

extension ZipError {
    fileprivate init(_ fault: Deflate.DecompressionFault) {
        self =
            switch fault {
            case .endsTooEarly: .broken(what: "a file in it ends too early")
            case .malformed: .broken(what: "a file in it cannot be unpacked")
            case .outOfMemory: .notWritten(reason: "there is not enough memory")
            }
    }
}

extension ZipReader {
    /// Returns the bytes of one file, at most as many as the limits allow one file.
    public func readFile(_ entry: Entry) throws(ZipError) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(min(entry.unpackedByteCount, 1 << 24))
        try unpackEntry(entry) { bytes throws(ZipError) in content += bytes }
        return content
    }
}
