import Basics
import Foundation
import Testing

@testable import Sound

/// A recording can be opened at every moment of its writing, and whatever cuts it, only its end is missing.
@Suite struct GrowingFLACFileTests {
    private let folder = try! SoundFolder()

    /// A tone with noise on it, at a level that differs from block to block.
    private static func makeSound(_ count: Int) -> [Float] {
        var state: UInt32 = 1
        return (0..<count).map { index in
            state = state &* 1_664_525 &+ 1_013_904_223
            let noise = Float(state >> 8) / Float(1 << 24) - 0.5
            let level: Float = index / 4096 % 3 == 1 ? 0 : 0.02
            return 0.3 * sin(Float(index) * 0.03) * (level * 40) + noise * level
        }
    }

    /// Writes a recording in blocks of 800 samples; `closes` is false for a writer that was killed.
    private func record(_ sound: [Float], closes: Bool, checkpoint: Int = .max) throws -> String {
        let path = folder.path("recorded-\(UUID().uuidString).flac")
        let file = try GrowingFLACFile(path: path, rate: SampleRate(hertz: 8_000))
        for (index, start) in stride(from: 0, to: sound.count, by: 800).enumerated() {
            try sound[start..<min(start + 800, sound.count)].withUnsafeBufferPointer { try file.write($0) }
            if index % checkpoint == checkpoint - 1 { try file.checkpoint() }
        }
        if closes {
            try file.close()
            return path
        }
        // A killed process leaves only the bytes that are on the disk at this moment.
        let left = folder.path("left-\(UUID().uuidString).flac")
        try FileManager.default.copyItem(atPath: path, toPath: left)
        return left
    }

    private func read(_ path: String) throws -> [Float] { try SoundFileReader(path: path).readAll() }

    @Test func aClosedRecordingHoldsTheSamplesOfASixteenBitDeviceExactly() throws {
        let sound = Self.makeSound(20_000).map { ($0 * 32_768).rounded() / 32_768 }
        let path = try record(sound, closes: true)
        #expect(try read(path) == sound)
        #expect(FLACStreamHeader(file: path)?.frameCount == 20_000)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try FLACRepair.repair(file: path) == 20_000)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func onlyItsOwnerCanReadIt() throws {
        let path = try record(Self.makeSound(800), closes: true)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func anUnclosedRecordingHoldsAllButTheLastBlock() throws {
        let sound = Self.makeSound(50_000)
        let path = try record(sound, closes: false)
        let count = try FLACRepair.repair(file: path)
        #expect((50_000 - 2 * 4096...50_000).contains(count))
        let heard = try read(path)
        #expect(heard.count == count)
        #expect(zip(heard, sound).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test func anUnclosedRecordingOpensWithoutRepair() throws {
        let sound = Self.makeSound(50_000)
        let path = try record(sound, closes: false, checkpoint: 10)
        let promised = try #require(FLACStreamHeader(file: path)?.frameCount)
        #expect((48_000 - 3 * 4096...48_000).contains(promised))
        let heard = try read(path)
        #expect(heard.count >= promised)
        #expect(zip(heard, sound).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test func afterACutAtAnyByteEveryCompleteFrameIsFound() throws {
        let path = try record(Self.makeSound(15_000), closes: true)
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let header = try #require(FLACStreamHeader(file: path))
        // The end of each frame, and the number of samples up to there.
        var ends = [(bytes: header.firstFrameOffset, frames: 0)]
        whole.withUnsafeBytes { bytes in
            while let last = ends.last,
                let frame = FLACFrame(UnsafeRawBufferPointer(rebasing: bytes[last.bytes...]), in: header)
            {
                ends.append((last.bytes + frame.byteCount, last.frames + frame.frameCount))
            }
        }
        #expect(ends.last?.bytes == whole.count)
        #expect(ends.last?.frames == 15_000)
        #expect(ends.count == 5)
        let cutFile = folder.path("cut.flac")
        for cut in 0..<whole.count {
            let wanted = ends.last { $0.bytes <= cut && $0.frames > 0 }
            let found = whole.withUnsafeBytes { bytes in
                cut <= header.firstFrameOffset
                    ? nil
                    : FLACRepair.findEnd(
                        in: UnsafeRawBufferPointer(rebasing: bytes[header.firstFrameOffset..<cut]), header)
            }
            #expect(found?.frameCount == wanted?.frames, "cut at \(cut)")
            #expect(
                found.map { $0.byteCount + header.firstFrameOffset } == wanted?.bytes, "cut at \(cut)")
            guard cut % 211 == 0 || cut < 100 else { continue }
            try Data(whole[..<cut]).write(to: URL(fileURLWithPath: cutFile))
            #expect(try FLACRepair.repair(file: cutFile) == wanted?.frames ?? 0, "cut at \(cut)")
            guard let wanted else { continue }
            #expect(try read(cutFile).count == wanted.frames, "cut at \(cut)")
        }
    }

    @Test func whatADiskLeftInsteadOfTheEndIsCutOff() throws {
        let path = try record(Self.makeSound(40_000), closes: false)
        let count = try FLACRepair.repair(file: path)
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        for rubbish in [Data(count: 5000), Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 181) })] {
            try (good + rubbish).write(to: URL(fileURLWithPath: path))
            #expect(try FLACRepair.repair(file: path) == count)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == good)
        }
    }

    @Test func aFileThatIsNoRecordingIsLeftAlone() throws {
        let path = folder.path("note.flac")
        try Data("fLaC but nothing else".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try FLACRepair.repair(file: path) == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("fLaC but nothing else".utf8))
        #expect(throws: SoundFileError.self) { try FLACRepair.repair(file: folder.path("missing.flac")) }
    }

    @Test func anEarlierRecordingIsNeverOverwritten() throws {
        let path = try record(Self.makeSound(800), closes: true)
        #expect(throws: SoundFileError.self) {
            try GrowingFLACFile(path: path, rate: SampleRate(hertz: 8_000))
        }
        #expect(try read(path).count == 800)
    }
}
