/// Reads eight neighbouring floats from a buffer; their address needs no alignment.
@inline(__always)
func loadEightFloats(_ pointer: UnsafeMutablePointer<Float>, _ index: Int) -> SIMD8<Float> {
    UnsafeRawPointer(pointer + index).loadUnaligned(as: SIMD8<Float>.self)
}

/// Writes eight neighbouring floats to a buffer; their address needs no alignment.
@inline(__always)
func storeEightFloats(_ value: SIMD8<Float>, _ pointer: UnsafeMutablePointer<Float>, _ index: Int) {
    UnsafeMutableRawPointer(pointer + index).storeBytes(of: value, as: SIMD8<Float>.self)
}

/// Allocates a buffer of zeros, which the caller must deallocate.
func zeroedFloats(_ count: Int) -> UnsafeMutablePointer<Float> {
    let pointer = UnsafeMutablePointer<Float>.allocate(capacity: count)
    pointer.initialize(repeating: 0, count: count)
    return pointer
}

/// Number of zeros before and after a row, so that a read shifted by the largest tempo stays inside the buffer.
let rowMarginZeroCount = 16

/// Moves a row's values towards its front, or towards its back if the distance is negative; zeros fill the gap.
func shiftRow(_ row: UnsafeMutablePointer<Float>, by distance: Int, count: Int) {
    let kept = max(count - abs(distance), 0)
    if distance > 0 {
        if kept > 0 { row.update(from: row + distance, count: kept) }
        (row + kept).update(repeating: 0, count: count - kept)
    } else {
        if kept > 0 { (row - distance).update(from: row, count: kept) }
        row.update(repeating: 0, count: count - kept)
    }
}
