import Passwords
import Testing

struct SealedBoxTests {
    private let box = SealedBox(secret: [UInt8](repeating: 3, count: SealedBox.secretBytes))

    @Test(arguments: [0, 1, 64, 100_000]) func whatWasSealedOpensAgain(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = box.seal(bytes)
        #expect(sealed.count == count + SealedBox.addedBytes && box.open(sealed) == bytes)
        #expect(box.seal(bytes) != sealed)
    }

    @Test func whatWasChangedOrSealedElsewhereDoesNotOpen() {
        let sealed = box.seal([1, 2, 3])
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(box.open(changed) == nil)
        }
        #expect(box.open(Array(sealed.dropLast())) == nil && box.open([]) == nil)
        let other = SealedBox(secret: [UInt8](repeating: 4, count: SealedBox.secretBytes))
        #expect(other.open(sealed) == nil)
    }
}
