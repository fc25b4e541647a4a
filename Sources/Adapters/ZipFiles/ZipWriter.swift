import Compression
import Foundation

/// Writes a ZIP file, one file after another. The same input always gives the same bytes.
public final class ZipWriter {
    /// The maximum size of the ZIP in bytes: well below the 4 GB that its 32-bit fields allow.
    public static let mostBytes = 2 << 30

    private let handle: FileHandle
    private var central: [UInt8] = []
    private var count: UInt16 = 0
    private var written = 0

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
    public func add(_ name: String, _ bytes: [UInt8], packs: Bool) throws(ZipError) {
        guard count < .max, written + bytes.count < Self.mostBytes else {
            throw .tooMuch(bytes: written + bytes.count, limit: Self.mostBytes)
        }
        let packed = packs ? Deflate.pack(bytes) : nil
        let body = packed ?? bytes
        var fields: [UInt8] = []
        ZipBytes.append(UInt16(20), to: &fields)  // to be read by version 2.0
        ZipBytes.append(ZipBytes.utf8, to: &fields)
        ZipBytes.append(UInt16(packed == nil ? 0 : 8), to: &fields)
        ZipBytes.append(UInt16(0), to: &fields)  // midnight
        ZipBytes.append(UInt16(0x21), to: &fields)  // 1 January 1980: no date
        ZipBytes.append(CRC32.checksum(bytes), to: &fields)
        ZipBytes.append(UInt32(body.count), to: &fields)
        ZipBytes.append(UInt32(bytes.count), to: &fields)
        ZipBytes.append(UInt16(name.utf8.count), to: &fields)
        ZipBytes.append(UInt16(0), to: &fields)  // nothing extra
        var header: [UInt8] = []
        ZipBytes.append(ZipBytes.localHeader, to: &header)
        ZipBytes.append(ZipBytes.centralHeader, to: &central)
        ZipBytes.append(UInt16(20), to: &central)
        central += fields
        ZipBytes.append(UInt16(0), to: &central)  // no comment
        ZipBytes.append(UInt16(0), to: &central)  // the first and only part
        ZipBytes.append(UInt16(0), to: &central)
        ZipBytes.append(UInt32(0), to: &central)
        ZipBytes.append(UInt32(written), to: &central)
        central += name.utf8
        try put(header + fields + name.utf8)
        try put(body)
        count += 1
    }

    /// Writes the list of files at the end of the ZIP, and closes it.
    public func finish() throws(ZipError) {
        var end: [UInt8] = []
        ZipBytes.append(ZipBytes.endRecord, to: &end)
        ZipBytes.append(UInt32(0), to: &end)
        ZipBytes.append(count, to: &end)
        ZipBytes.append(count, to: &end)
        ZipBytes.append(UInt32(central.count), to: &end)
        ZipBytes.append(UInt32(written), to: &end)
        ZipBytes.append(UInt16(0), to: &end)
        try put(central + end)
        try? handle.close()
    }

    private func put(_ bytes: [UInt8]) throws(ZipError) {
        do { try handle.write(contentsOf: Data(bytes)) } catch {
            throw Self.fault(error)
        }
        written += bytes.count
    }

    static func fault(_ error: any Error) -> ZipError {
        let cocoa = (error as? CocoaError)?.code
        let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return cocoa == .fileWriteOutOfSpace || posix?.code == Int(ENOSPC)
            ? .diskFull : .notWritten(reason: "the disk refused it")
    }
}
