import Foundation
import Testing

@testable import Pictures

/// What a file says about its maker does not leave the house; the pixels do, bit for bit.
@Suite struct CleanPictureTests {
    private static let shown: [PictureFormat] = PictureFormat.allCases.filter(\.isForBrowsers)

    @Test(arguments: PictureFormat.allCases) func aFormatIsKnownByItsFirstBytes(format: PictureFormat) {
        #expect(PictureFormat(head: Array(TestPicture.plain(format).prefix(64))) == format)
        #expect(PictureFormat(head: Array("%PDF-1.4".utf8)) == nil)
    }

    @Test(arguments: shown) func placeCommentsAndWhatFollowsTheEndAreLeftOut(format: PictureFormat) throws {
        let plain = TestPicture.plain(format)
        let brought = TestPicture.withPlace(format)
        #expect(brought.count > plain.count)
        let clean = try #require(CleanPicture(brought, format))
        #expect(clean.bytes == plain)
        #expect(clean.isComplete && clean.orientation == 1 && (clean.width, clean.height) == (12, 8))
        #expect(CleanPicture(plain, format)?.bytes == plain, "what is clean stays bit for bit")
    }

    @Test(arguments: [PictureFormat.jpeg, .png, .webp], 1...8)
    func theTurnIsReadFromExif(format: PictureFormat, orientation: Int) throws {
        let clean = try #require(
            CleanPicture(TestPicture.withPlace(format, orientation: orientation), format))
        #expect(clean.orientation == orientation)
        #expect(!clean.bytes.contains(TestPicture.place))
        // A JPEG still says it, for browsers turn it.
        #expect(
            CleanPicture(clean.bytes, format)?.orientation == (format == .jpeg ? orientation : 1))
    }

    @Test(arguments: shown) func aFileThatEndsTooEarlyIsIncompleteOrDamagedAndNothingIsReadBeyondItsEnd(
        format: PictureFormat
    ) {
        let bytes = TestPicture.withPlace(format, orientation: 6)
        let whole = TestPicture.plain(format).count
        for count in 0..<whole - 2 {
            #expect(CleanPicture(Array(bytes.prefix(count)), format)?.isComplete != true, "\(count) bytes")
        }
    }

    @Test(arguments: shown) func noByteThatChangesMakesItFail(format: PictureFormat) {
        var random = SystemRandomNumberGenerator()
        let bytes = TestPicture.withPlace(format, orientation: 6)
        for index in bytes.indices {
            var changed = bytes
            changed[index] = UInt8.random(in: 0...255, using: &random)
            let clean = CleanPicture(changed, format)
            #expect((clean?.bytes.count ?? 0) <= bytes.count + 40)
        }
    }
}

extension [UInt8] {
    func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
