import Platform
import Testing

@testable import Audience
@testable import Hosting

@Suite struct RelayParcelTests {
    static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) }
    }

    @Test(arguments: [
        0, 1, RelayFileParts.fileBytesPerPart - 1, RelayFileParts.fileBytesPerPart,
        RelayFileParts.fileBytesPerPart + 1, 300_000,
    ])
    func whatIsCutIsPutTogetherInAnyOrder(count: Int) {
        let bytes = Self.bytes(count)
        let digest = Digest(of: bytes).description
        let parts = RelayFileParts.splitIntoParts(bytes, digest: digest)
        #expect(parts.count == RelayFileParts.partCount(of: count))
        #expect(parts.allSatisfy { $0.count <= 65_536 })
        var parcel = RelayFileParts(digest: digest, partCount: parts.count)
        for (taken, part) in parts.shuffled().enumerated() {
            #expect(parcel.joinedFile == nil, "after \(taken) parts")
            let (first, second) = (parcel.addReceivedPart(part), parcel.addReceivedPart(part))
            #expect(first)
            #expect(!second, "the same part twice")
        }
        #expect(parcel.joinedFile == bytes)
    }

    @Test func partsOfTwoVersionsAreNeverMixed() {
        let (old, new) = (Self.bytes(100_000), Array(Self.bytes(100_000).reversed()))
        let digest = Digest(of: new).description
        var parcel = RelayFileParts(digest: digest, partCount: 3)
        for part in RelayFileParts.splitIntoParts(old, digest: Digest(of: old).description) {
            let isTaken = parcel.addReceivedPart(part)
            #expect(!isTaken)
        }
        for part in RelayFileParts.splitIntoParts(new, digest: digest) {
            let isTaken = parcel.addReceivedPart(part)
            #expect(isTaken)
        }
        #expect(parcel.joinedFile == new)
    }

    @Test func changedBytesAreNoFile() {
        let bytes = Self.bytes(10)
        let digest = Digest(of: bytes).description
        var part = RelayFileParts.splitIntoParts(bytes, digest: digest)[0]
        part[part.count - 1] ^= 1
        var parcel = RelayFileParts(digest: digest, partCount: 1)
        let isTaken = parcel.addReceivedPart(part)
        #expect(isTaken && parcel.joinedFile == nil)
    }

    @Test func partCutAtAnyByteIsNoneOrNoWhole() {
        let bytes = Self.bytes(40)
        let digest = Digest(of: bytes).description
        let part = RelayFileParts.splitIntoParts(bytes, digest: digest)[0]
        for end in 0..<part.count {
            var parcel = RelayFileParts(digest: digest, partCount: 1)
            _ = parcel.addReceivedPart(Array(part[..<end]))
            #expect(parcel.joinedFile == nil, "cut at \(end)")
        }
    }

    @Test(arguments: [
        "", "\n", "x 0 1\n", "DIGEST 1 1\n", "DIGEST -1 1\n", "DIGEST 0 2\n", "DIGEST 0\n", "DIGEST 0 1",
    ])
    func whatIsNoPartIsRefused(text: String) {
        let digest = Digest(of: [1]).description
        var parcel = RelayFileParts(digest: digest, partCount: 1)
        let isTaken = parcel.addReceivedPart(Array(text.replacing("DIGEST", with: digest).utf8))
        #expect(!isTaken)
    }
}
