/// Memory that all searches of one reference use, one after the other: none needs it between two of its steps.
///
/// With a search in each of seven keys this is a quarter of what they would take together. Belongs to one thread.
final class SearchScratch {
    /// Where a step writes; the search keeps it and leaves its old rows here. Nothing but zeros in the margins.
    var rows: UnsafeMutablePointer<Float>
    let similarity: UnsafeMutablePointer<Float>
    /// Mass of each second; for ``WholeSearch/likelyPlaces()``.
    let blockMasses: UnsafeMutablePointer<Float>
    /// Values in a row, margins included.
    let rowLength: Int

    /// - Parameters:
    ///   - rowLength: values in a row, margins included.
    ///   - rowCount: tempi.
    ///   - blockCount: at least the seconds of the reference.
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
