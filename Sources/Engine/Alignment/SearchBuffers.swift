/// Working memory shared by all searches of one reference, which run one after the other: none needs it between two
/// of its steps.
///
/// With one search in each of seven keys this is a quarter of what separate buffers would take. Belongs to one
/// thread.
final class SearchBuffers {
    /// Receives the rows of a step; the search then swaps them with its old rows. The margins hold only zeros.
    var rows: UnsafeMutablePointer<Float>
    let similarity: UnsafeMutablePointer<Float>
    /// Probability of each second of the reference; for ``WholeReferenceSearch/likelyPlaces()``.
    let blockMasses: UnsafeMutablePointer<Float>
    /// Values in a row, margins included.
    let rowLength: Int

    /// - Parameters:
    ///   - rowLength: values in a row, margins included.
    ///   - rowCount: number of tempi.
    ///   - blockCount: at least the length of the reference in seconds.
    init(rowLength: Int, rowCount: Int, blockCount: Int) {
        self.rowLength = rowLength
        rows = zeroedFloats(rowLength * rowCount)
        similarity = zeroedFloats(rowLength)
        blockMasses = zeroedFloats(blockCount)
    }

    deinit {
        rows.deallocate()
        similarity.deallocate()
        blockMasses.deallocate()
    }
}
