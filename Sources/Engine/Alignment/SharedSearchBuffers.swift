/// Working memory that all searches of one reference share. They run one after the other, and a search needs nothing
/// from this memory between its steps.
///
/// With one search in each of eleven keys this is a quarter of what separate buffers would take. Belongs to one thread.
final class SharedSearchBuffers {
    /// Receives the new rows of a step; the search then swaps them with its old rows. The margins hold only zeros.
    var nextProbabilityRows: UnsafeMutablePointer<Float>
    let similarityByPooledFrame: UnsafeMutablePointer<Float>
    /// The probability of each second of the reference; used by ``WholeReferenceSearch/likelyPlaces()``.
    let probabilityBySecond: UnsafeMutablePointer<Float>
    /// The number of values in a row, margins included.
    let rowLength: Int

    /// Allocates the buffers.
    /// - Parameters:
    ///   - rowLength: values in a row, margins included.
    ///   - rowCount: number of tempi.
    ///   - blockCount: at least the length of the reference in seconds.
    init(rowLength: Int, rowCount: Int, blockCount: Int) {
        self.rowLength = rowLength
        nextProbabilityRows = zeroedFloats(rowLength * rowCount)
        similarityByPooledFrame = zeroedFloats(rowLength)
        probabilityBySecond = zeroedFloats(blockCount)
    }

    deinit {
        nextProbabilityRows.deallocate()
        similarityByPooledFrame.deallocate()
        probabilityBySecond.deallocate()
    }
}
