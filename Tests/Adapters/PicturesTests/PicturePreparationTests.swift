import Foundation
import Testing

@testable import Pictures

private let hasVips = PicturePreparation().vipsthumbnail != nil

@Suite(.serialized) struct PicturePreparationTests {
    private let alone = PicturePreparation(vipsthumbnail: .some(nil))

    @Test(arguments: PictureFormat.allCases.filter(\.isForBrowsers))
    func aSmallUprightPictureOnlyLosesWhatItSaysAboutItsMaker(format: PictureFormat) async throws {
        let made = try await alone.prepare(TestPicture.withPlace(format), format)
        #expect(made.bytes == TestPicture.plain(format) && made.format == format)
    }

    @Test func withoutAConverterAPhotographIsCleanAndStillSaysItsTurn() async throws {
        let made = try await alone.prepare(TestPicture.withPlace(.jpeg, orientation: 6), .jpeg)
        #expect(CleanPicture(made.bytes, .jpeg)?.orientation == 6 && !made.bytes.contains(TestPicture.place))
    }

    @Test func withoutAConverterWhatMustBeConvertedIsRefused() async {
        for (bytes, format): ([UInt8], PictureFormat) in [
            (TestPicture.plain(.heic), .heic), (TestPicture.plain(.avif), .avif),
            (TestPicture.plain(.tiff), .tiff), (TestPicture.withPlace(.png, orientation: 6), .png),
        ] {
            let refusal = await #expect(throws: PictureRefusal.noConverter) {
                try await alone.prepare(bytes, format)
            }
            #expect(refusal?.sentence(about: "a.heic").contains("libvips-tools") == true)
        }
        await #expect(throws: PictureRefusal.damaged) { try await alone.prepare([0xFF, 0xD8, 0xFF], .jpeg) }
        await #expect(throws: PictureRefusal.cutShort) {
            try await alone.prepare(TestPicture.plain(.jpeg).dropLast(9), .jpeg)
        }
    }

    @Test(
        .enabled(if: hasVips, "no libvips-tools"), arguments: [PictureFormat.heic, .avif, .tiff])
    func whatBrowsersDoNotShowBecomesAJPEG(format: PictureFormat) async throws {
        let made = try await PicturePreparation().prepare(TestPicture.plain(format), format)
        let clean = try #require(CleanPicture(made.bytes, .jpeg))
        #expect(made.format == .jpeg && (clean.width, clean.height) == (12, 8) && clean.bytes == made.bytes)
    }

    @Test(
        .enabled(if: hasVips, "no libvips-tools"), arguments: [PictureFormat.jpeg, .png, .webp])
    func aPictureIsTurnedUpright(format: PictureFormat) async throws {
        let brought = TestPicture.withPlace(format, orientation: 6)
        let made = try await PicturePreparation().prepare(brought, format)
        let clean = try #require(CleanPicture(made.bytes, made.format))
        #expect(made.format == format && clean.orientation == 1)
        #expect((clean.width, clean.height) == (8, 12), "a quarter turn")
        #expect(!made.bytes.contains(TestPicture.place))
    }

    @Test(.enabled(if: hasVips, "no libvips-tools"))
    func aLargePictureIsScaledOnce() async throws {
        // 3,000 × 4 pixels, each row one grey: a PNG of a few bytes.
        let made = try await PicturePreparation().prepare(try widePNG(3_000, 4), .png)
        let clean = try #require(CleanPicture(made.bytes, .png))
        #expect(clean.width == PicturePreparation.longestSide)
        let again = try await PicturePreparation().prepare(made.bytes, .png)
        #expect(again.bytes == made.bytes)
    }

    @Test(.enabled(if: hasVips, "no libvips-tools"))
    func aFileThatOnlyPretendsIsRefused() async {
        await #expect(throws: PictureRefusal.damaged) {
            try await PicturePreparation().prepare(
                Array(TestPicture.plain(.heic).prefix(64)) + [UInt8](repeating: 0, count: 500), .heic)
        }
    }

    /// A grey PNG whose rows are stored without compression.
    private func widePNG(_ width: Int, _ height: Int) throws -> [UInt8] {
        var rows: [UInt8] = []
        for row in 0..<height { rows += [0] + [UInt8](repeating: UInt8(row * 60), count: width) }
        let length = UInt16(rows.count)
        var stored: [UInt8] = [0x78, 0x01, 1]
        for part in [length, ~length] { stored += [UInt8(part & 0xFF), UInt8(part >> 8)] }
        stored += rows
        stored += TestPicture.bigEndian(Self.adler(rows))
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += TestPicture.chunk(
            "IHDR", TestPicture.bigEndian(width) + TestPicture.bigEndian(height) + [8, 0, 0, 0, 0])
        file += TestPicture.chunk("IDAT", stored)
        file += TestPicture.chunk("IEND", [])
        return file
    }

    private static func adler(_ bytes: [UInt8]) -> Int {
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return b << 16 | a
    }
}
