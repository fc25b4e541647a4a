import Foundation
import Platform
import Testing

@Suite struct GzipTests {
    private func unzipped(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: "zip-\(UUID().uuidString).gz")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/gzip")
        process.arguments = ["-dc", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let out = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return Array(out)
    }

    @Test(arguments: ["", "a", "ab", "abc", "aaaaaaaaaaaaaaaa", "äöü€\u{1F3BC}"])
    func shortTextsComeBack(text: String) throws {
        #expect(try unzipped(Gzip.compress(Array(text.utf8))) == Array(text.utf8))
    }

    @Test func everyByteAndEveryMatchLengthComesBack() throws {
        var bytes = (0...255).map { UInt8($0) }
        for length in 1...300 {
            bytes += bytes.prefix(length)
            bytes.append(UInt8(truncatingIfNeeded: length &* 37))
        }
        #expect(try unzipped(Gzip.compress(bytes)) == bytes)
    }

    @Test func distantRepeatsAndNoiseComeBack() throws {
        var seed: UInt32 = 7
        let noise = (0..<70_000).map { _ -> UInt8 in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            return UInt8(seed >> 24)
        }
        let bytes = noise + noise.prefix(40_000) + [UInt8](repeating: 9, count: 100_000)
        #expect(try unzipped(Gzip.compress(bytes)) == bytes)
    }

    @Test func scriptsShrinkToLessThanHalf() throws {
        let text = (0..<400).map { "const value\($0) = document.querySelector(\"#measure-\($0 % 7)\");\n" }
            .joined()
        #expect(Gzip.compress(Array(text.utf8)).count < text.utf8.count / 2)
    }
}
