import Foundation

/// Writes a ZIP file, one file after another. The same input always gives the same bytes.
public final class ZipWriter {
    /// The maximum size of the ZIP in bytes: well below the 4 GB that its 32-bit fields allow.
    public static let mostBytes = 2 << 30

    private let handle: FileHandle
    private var centralDirectory: [UInt8] = []
    private var entryCount: UInt16 = 0
    private var writtenByteCount = 0

    /// - Parameter path: the ZIP file to make; an existing file is overwritten.
    public init(path: String) throws(ZipError) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw .notWritten(reason: "the file cannot be made") }
        self.handle = handle
    }

    /// Adds a file to the ZIP.
    /// - Parameters:
    ///   - name: the path of the file inside the ZIP, with folders separated by `/`.
    ///   - packs: true compresses the bytes; use false for content that is compressed already, such as pictures.
    public func addFile(_ name: String, _ bytes: [UInt8], packs: Bool) throws(ZipError) {
        guard entryCount < .max, writtenByteCount + bytes.count < Self.mostBytes else {
            throw .totalTooLarge(bytes: writtenByteCount + bytes.count, limit: Self.mostBytes)
        }
        let packed = packs ? Deflate.compressIfSmaller(bytes) : nil
        let body = packed ?? bytes
        var fields: [UInt8] = []
        ZipBytes.appendLittleEndian(UInt16(20), to: &fields)  // to be read by version 2.0
        ZipBytes.appendLittleEndian(ZipBytes.utf8NameFlag, to: &fields)
        ZipBytes.appendLittleEndian(UInt16(packed == nil ? 0 : 8), to: &fields)
        ZipBytes.appendLittleEndian(UInt16(0), to: &fields)  // midnight
        ZipBytes.appendLittleEndian(UInt16(0x21), to: &fields)  // 1 January 1980: no date
        ZipBytes.appendLittleEndian(CRC32.checksum(bytes), to: &fields)
        ZipBytes.appendLittleEndian(UInt32(body.count), to: &fields)
        ZipBytes.appendLittleEndian(UInt32(bytes.count), to: &fields)
        ZipBytes.appendLittleEndian(UInt16(name.utf8.count), to: &fields)
        ZipBytes.appendLittleEndian(UInt16(0), to: &fields)  // nothing extra
        var header: [UInt8] = []
        ZipBytes.appendLittleEndian(ZipBytes.localHeaderSignature, to: &header)
        ZipBytes.appendLittleEndian(ZipBytes.centralHeaderSignature, to: &centralDirectory)
        ZipBytes.appendLittleEndian(UInt16(20), to: &centralDirectory)
        centralDirectory += fields
        ZipBytes.appendLittleEndian(UInt16(0), to: &centralDirectory)  // no comment
        ZipBytes.appendLittleEndian(UInt16(0), to: &centralDirectory)  // the first and only part
        ZipBytes.appendLittleEndian(UInt16(0), to: &centralDirectory)
        ZipBytes.appendLittleEndian(UInt32(0), to: &centralDirectory)
        ZipBytes.appendLittleEndian(UInt32(writtenByteCount), to: &centralDirectory)
        centralDirectory += name.utf8
        try writeBytes(header + fields + name.utf8)
        try writeBytes(body)
        entryCount += 1
    }

    /// Writes the list of files at the end of the ZIP, and closes it.
    public func finish() throws(ZipError) {
        var end: [UInt8] = []
        ZipBytes.appendLittleEndian(ZipBytes.endRecordSignature, to: &end)
        ZipBytes.appendLittleEndian(UInt32(0), to: &end)
        ZipBytes.appendLittleEndian(entryCount, to: &end)
        ZipBytes.appendLittleEndian(entryCount, to: &end)
        ZipBytes.appendLittleEndian(UInt32(centralDirectory.count), to: &end)
        ZipBytes.appendLittleEndian(UInt32(writtenByteCount), to: &end)
        ZipBytes.appendLittleEndian(UInt16(0), to: &end)
        try writeBytes(centralDirectory + end)
        try? handle.close()
    }

    private func writeBytes(_ bytes: [UInt8]) throws(ZipError) {
        do { try handle.write(contentsOf: Data(bytes)) } catch {
            throw Self.makeError(error)
        }
        writtenByteCount += bytes.count
    }

    static func makeError(_ error: any Error) -> ZipError {
        let cocoa = (error as? CocoaError)?.code
        let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return cocoa == .fileWriteOutOfSpace || posix?.code == Int(ENOSPC)
            ? .diskFull : .notWritten(reason: "the disk refused it")
    }
}
