import Platform
import Testing

struct SealedBoxTests {
    private let box = SealedBox(secret: [UInt8](repeating: 3, count: SealedBox.secretByteCount))

    @Test(arguments: [0, 1, 64, 100_000]) func whatWasSealedOpensAgain(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = box.encrypt(bytes)
        #expect(sealed.count == count + SealedBox.overheadByteCount && box.decrypt(sealed) == bytes)
        #expect(box.encrypt(bytes) != sealed)
    }

    @Test func whatWasChangedOrSealedElsewhereDoesNotOpen() {
        let sealed = box.encrypt([1, 2, 3])
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(box.decrypt(changed) == nil)
        }
        #expect(box.decrypt(Array(sealed.dropLast())) == nil && box.decrypt([]) == nil)
        let other = SealedBox(secret: [UInt8](repeating: 4, count: SealedBox.secretByteCount))
        #expect(other.decrypt(sealed) == nil)
    }
}
