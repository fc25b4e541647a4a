/// A set of byte values, such as those that `[…]` in an address pattern matches.
struct ByteSet: Hashable, Sendable {
    private var words: SIMD4<UInt64>

    init() { words = .zero }

    init(_ byte: UInt8) {
        words = .zero
        insert(byte)
    }

    static let all = ByteSet().inverted
    static let allButSlash = all.removingSlash

    var inverted: ByteSet {
        var set = self
        set.words = ~words
        return set
    }

    var removingSlash: ByteSet {
        var set = self
        set.words[0] &= ~(1 << UInt64(UInt8(ascii: "/")))
        return set
    }

    mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] & 1 << UInt64(byte & 63) != 0 }
}
