/// The path costs at the edge of the computed cells: of the newest live frame with the band's reference frames, and
/// of the newest reference frame with the band's live frames. On-line time warping needs no others.
///
/// A step that advances both sides costs two local costs, a step that advances one side costs one. So all paths to a
/// cell have the same length, and dividing by it makes the costs of different cells comparable. Belongs to one
/// thread; no allocation after `init`.
final class OnlineTimeWarpingFrontier {
    /// The newest live frame; -1 before the first.
    private(set) var live = -1
    /// The newest reference frame inside the alignment's search band.
    private(set) var reference = 0
    private var start = 0
    private let bandFrames: Int
    private let mask: Int
    /// Path costs of the newest live frame, by reference frame.
    private let row: UnsafeMutablePointer<Double>
    /// Path costs of the newest reference frame, by live frame.
    private let column: UnsafeMutablePointer<Double>

    /// - Parameter capacity: a power of two, not below `bandFrames`.
    init(bandFrames: Int, capacity: Int) {
        precondition(
            capacity >= bandFrames && capacity & (capacity - 1) == 0, "\(capacity) holds \(bandFrames)")
        self.bandFrames = bandFrames
        mask = capacity - 1
        row = .allocate(capacity: capacity)
        row.initialize(repeating: .infinity, count: capacity)
        column = .allocate(capacity: capacity)
        column.initialize(repeating: .infinity, count: capacity)
    }

    deinit {
        row.deallocate()
        column.deallocate()
    }

    /// Forgets everything; the path will begin at this reference frame.
    func begin(atReference start: Int) {
        live = -1
        reference = start
        self.start = start
    }

    /// The reference frames that the newest live frame is compared with.
    var references: ClosedRange<Int> { max(start, reference - bandFrames + 1)...reference }

    /// The live frames that the newest reference frame is compared with.
    var lives: ClosedRange<Int> { max(0, live - bandFrames + 1)...live }

    /// Advances by one live frame.
    /// - Parameter local: returns the local cost of the live frame with a reference frame of ``references``.
    func advanceLive(_ local: (Int) -> Float) {
        live += 1
        if live == 0 {
            row[reference & mask] = 2 * Double(local(reference))
        } else {
            extend(row, over: references, local)
        }
        column[live & mask] = row[reference & mask]
    }

    /// Advances by one reference frame.
    /// - Parameter local: returns the local cost of the reference frame with a live frame of ``lives``.
    func advanceReference(_ local: (Int) -> Float) {
        reference += 1
        extend(column, over: lives, local)
        row[reference & mask] = column[live & mask]
    }

    /// Replaces the path costs of an edge by those of the next one, in place.
    private func extend(
        _ edge: UnsafeMutablePointer<Double>, over range: ClosedRange<Int>, _ local: (Int) -> Float
    ) {
        // Cells that left the band cannot be reached.
        var diagonal = Double.infinity
        var before = Double.infinity
        for frame in range {
            let cost = Double(local(frame))
            let old = edge[frame & mask]
            before = min(min(old, before) + cost, diagonal + 2 * cost)
            edge[frame & mask] = before
            diagonal = old
        }
    }

    /// The path cost of the newest live frame with a reference frame of ``references``.
    func pathCost(reference: Int) -> Double { row[reference & mask] }

    /// The reference frame that best fits the newest live frame, and its path cost per step.
    func bestReference() -> (frame: Int, meanCost: Double) {
        let travelled = live + 2 - start
        return best(row, over: references) { $0 + travelled }
    }

    /// The live frame that best fits the newest reference frame, and its path cost per step.
    func bestLive() -> (frame: Int, meanCost: Double) {
        let travelled = reference - start + 2
        return best(column, over: lives) { $0 + travelled }
    }

    /// The frame with the least mean cost; the newest one among equals.
    private func best(
        _ edge: UnsafeMutablePointer<Double>, over range: ClosedRange<Int>, length: (Int) -> Int
    ) -> (frame: Int, meanCost: Double) {
        var frame = range.upperBound
        var least = Double.infinity
        for candidate in range {
            let meanCost = edge[candidate & mask] / Double(length(candidate))
            if meanCost <= least {
                least = meanCost
                frame = candidate
            }
        }
        return (frame, least)
    }
}
