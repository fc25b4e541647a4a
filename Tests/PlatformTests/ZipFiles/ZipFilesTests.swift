import Foundation
import Testing

@testable import Platform

/// ZIPs as they are written here, as others write them, and as somebody would who means harm.
@Suite struct ZipFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "zip-\(UUID().uuidString)")
        .path
    private let limits = ZipLimits(mostEntries: 20, mostFileBytes: 1 << 20, mostBytes: 2 << 20)

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func zip(_ files: [(String, [UInt8])], packs: Bool = true) throws -> String {
        let path = folder + "/\(UUID().uuidString).zip"
        let writer = try ZipWriter(path: path)
        for (name, bytes) in files { try writer.addFile(name, bytes, packs: packs) }
        try writer.finish()
        return path
    }

    private func refusal(_ path: String) -> ZipError? {
        do throws(ZipError) {
            try ZipReader(path: path, limits: limits).unpack(into: folder + "/out")
            return nil
        } catch {
            return error
        }
    }

    private func changed(_ path: String, _ change: (inout [UInt8]) -> Void) throws -> String {
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        change(&bytes)
        let other = folder + "/\(UUID().uuidString).zip"
        try Data(bytes).write(to: URL(fileURLWithPath: other))
        return other
    }

    @Test(arguments: [true, false]) func whatGoesInComesOut(packs: Bool) throws {
        let text = Array(String(repeating: "Prélude, à jouer. ", count: 9_000).utf8)
        let noise = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        let path = try zip(
            [("data.xml", text), ("POAÉtude/a b.png", noise), ("empty.txt", [])], packs: packs)
        let reader = try ZipReader(path: path, limits: limits)
        #expect(reader.entries.map(\.name) == ["data.xml", "POAÉtude/a b.png", "empty.txt"])
        try reader.unpack(into: folder + "/out")
        for (name, bytes) in [("data.xml", text), ("POAÉtude/a b.png", noise), ("empty.txt", [])] {
            #expect(FileManager.default.contents(atPath: "\(folder)/out/\(name)").map(Array.init) == bytes)
        }
        let size = try #require(FileManager.default.contents(atPath: path)?.count)
        #expect(packs == (size < text.count))
    }

    @Test func anotherProgramReadsIt() throws {
        let path = try zip([
            ("a/data.xml", Array(String(repeating: "music ", count: 500).utf8)), ("é.txt", [65]),
        ])
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        python.arguments = [
            "-c",
            "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; "
                + "assert z.namelist() == ['a/data.xml', 'é.txt']; assert len(z.read('a/data.xml')) == 3000",
            path,
        ]
        try python.run()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
    }

    @Test(arguments: [
        "../x", "a/../../x", "/etc/x", "a//b", "a/./b", ".hidden", "a\\b", "C:x", "a\u{1}b", "1/2/3/4/5",
        String(repeating: "x", count: 401),
    ]) func aNameThatLeadsElsewhereIsRefused(name: String) throws {
        guard case .refusedPath = refusal(try zip([("fine.txt", [1]), (name, [2])])) else {
            Issue.record("\(name) was taken")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: folder + "/x"))
        #expect(!FileManager.default.fileExists(atPath: folder + "/out"))
    }

    @Test func whatIsTooMuchIsRefusedBeforeAnythingIsUnpacked() throws {
        let many = try zip((0..<21).map { ("\($0).txt", [1]) })
        #expect(refusal(many) == .tooManyEntries(count: 21, limit: 20))
        let zeros = [UInt8](repeating: 0, count: (1 << 20) + 1)
        #expect(
            refusal(try zip([("bomb", zeros)]))
                == .fileTooLarge(name: "bomb", bytes: zeros.count, limit: 1 << 20)
        )
        let three = try zip((0..<3).map { ("\($0)", [UInt8](repeating: 0, count: 900_000)) })
        #expect(refusal(three) == .totalTooLarge(bytes: 2_700_000, limit: 2 << 20))
        #expect(!FileManager.default.fileExists(atPath: folder + "/out"))
    }

    @Test func aLengthThatLiesIsNoticedWhileItUnpacks() throws {
        let path = try zip([("bomb", [UInt8](repeating: 0, count: 900_000))])
        // In the list: unpacked, it says, it has 10 bytes.
        let liar = try changed(path) { bytes in
            let at =
                bytes.indices.first { ZipBytes.readUInt32(bytes, $0) == ZipBytes.centralHeaderSignature } ?? 0
            bytes.replaceSubrange((at + 24)..<(at + 28), with: [10, 0, 0, 0])
        }
        #expect(refusal(liar) == .broken(what: "a file in it is longer than it says"))
    }

    @Test func overlappingFilesLinksTwinsAndPasswordsAreRefused() throws {
        let twice = try zip([("a", [1, 2, 3]), ("b", [1, 2, 3])], packs: false)
        func second(_ change: @escaping (inout [UInt8], Int) -> Void) throws -> ZipError? {
            refusal(
                try changed(twice) { bytes in
                    let found = bytes.indices.dropLast(3).filter {
                        ZipBytes.readUInt32(bytes, $0) == ZipBytes.centralHeaderSignature
                    }
                    change(&bytes, found[1])
                })
        }
        #expect(
            try second { $0.replaceSubrange(($1 + 42)..<($1 + 46), with: [0, 0, 0, 0]) }
                == .broken(what: "files in it overlap"))
        #expect(
            try second { $0[$1 + 41] = 0xA1 } == .refusedPath("b", why: "is a link or a device, not a file"))
        #expect(try second { $0[$1 + 8] |= 1 } == .encrypted(name: "b"))
        #expect(try second { $0[$1 + 10] = 12 } == .unsupported(what: "packed by method 12"))
        #expect(try second { $0[$1 + 46] = 0x41 } == .refusedPath("A", why: "is there twice"))
        #expect(
            try second { $0[$1 + 46] = 0xFF } == .refusedPath("?", why: "has a name that is no UTF-8 text"))
    }

    @Test func aZipCutOffAtAnyByteIsRefusedAndNoByteCanBeChangedUnseen() throws {
        let path = try zip([("data.xml", Array("one two three one two three".utf8)), ("b.txt", [7, 8])])
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        for count in 0..<whole.count {
            #expect(refusal(try changed(path) { $0.removeLast(whole.count - count) }) != nil, "\(count)")
        }
        // Never a trap, and never other bytes in silence; a few fields (dates, versions) mean nothing here.
        for index in whole.indices {
            let out = folder + "/changed-\(index)"
            let other = try changed(path) { $0[index] ^= 0x55 }
            guard let reader = try? ZipReader(path: other, limits: limits),
                (try? reader.unpack(into: out)) != nil,
                let data = FileManager.default.contents(atPath: out + "/data.xml")
            else { continue }
            #expect(Array(data) == Array("one two three one two three".utf8), "byte \(index)")
        }
    }
}
