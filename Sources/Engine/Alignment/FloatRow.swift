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

/// Moves a row's values towards its front, by a negative distance towards its back; what comes in is zero.
func shift(_ row: UnsafeMutablePointer<Float>, by distance: Int, count: Int) {
    let kept = max(count - abs(distance), 0)
    if distance > 0 {
        if kept > 0 { row.update(from: row + distance, count: kept) }
        (row + kept).update(repeating: 0, count: count - kept)
    } else {
        if kept > 0 { (row - distance).update(from: row, count: kept) }
        row.update(repeating: 0, count: count - kept)
    }
}
