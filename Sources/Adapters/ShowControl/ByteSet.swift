/// A set of byte values, for example the bytes that `[…]` in an address pattern matches.
struct ByteSet: Hashable, Sendable {
    private var bitmapWords: SIMD4<UInt64>

    init() { bitmapWords = .zero }

    init(_ byte: UInt8) {
        bitmapWords = .zero
        insert(byte)
    }

    static let all = ByteSet().inverted
    static let allButSlash = all.removingSlash

    var inverted: ByteSet {
        var set = self
        set.bitmapWords = ~bitmapWords
        return set
    }

    var removingSlash: ByteSet {
        var set = self
        set.bitmapWords[0] &= ~(1 << UInt64(UInt8(ascii: "/")))
        return set
    }

    mutating func insert(_ byte: UInt8) { bitmapWords[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    func contains(_ byte: UInt8) -> Bool { bitmapWords[Int(byte >> 6)] & 1 << UInt64(byte & 63) != 0 }
}
