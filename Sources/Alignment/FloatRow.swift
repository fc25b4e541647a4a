/// Reads eight neighbouring values; any alignment.
@inline(__always)
func load(_ pointer: UnsafeMutablePointer<Float>, _ index: Int) -> SIMD8<Float> {
    UnsafeRawPointer(pointer + index).loadUnaligned(as: SIMD8<Float>.self)
}

/// Writes eight neighbouring values; any alignment.
@inline(__always)
func store(_ value: SIMD8<Float>, _ pointer: UnsafeMutablePointer<Float>, _ index: Int) {
    UnsafeMutableRawPointer(pointer + index).storeBytes(of: value, as: SIMD8<Float>.self)
}

/// A zeroed buffer for the life of its owner.
func zeroedFloats(_ count: Int) -> UnsafeMutablePointer<Float> {
    let pointer = UnsafeMutablePointer<Float>.allocate(capacity: count)
    pointer.initialize(repeating: 0, count: count)
    return pointer
}

/// Zeros in front of a row, so that a shifted read of the largest tempo stays inside.
let rowMargin = 16
