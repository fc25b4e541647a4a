/// The path costs at the edge of the computed cells: of the newest live frame with the band's reference frames, and of
/// the newest reference frame with the band's live frames. On-line time warping needs no other costs.
///
/// A step that advances both sides costs two local costs, a step that advances one side costs one. All paths to a cell
/// therefore have the same length, and dividing a path cost by this length makes different cells comparable. Belongs to
/// one thread; no allocation after `init`.
final class OnlineTimeWarpingFrontier {
    /// The number of the newest live frame; -1 before the first one.
    private(set) var newestLive = -1
    /// The number of the newest reference frame to which the band has advanced.
    private(set) var newestReference = 0
    private var start = 0
    private let bandFrames: Int
    private let mask: Int
    /// The path costs of the newest live frame, by reference frame.
    private let costsByReference: UnsafeMutablePointer<Double>
    /// The path costs of the newest reference frame, by live frame.
    private let costsByLive: UnsafeMutablePointer<Double>

    /// Creates an edge before the first live frame.
    /// - Parameter capacity: the number of slots for costs: a power of two, not below `bandFrames`.
    init(bandFrames: Int, capacity: Int) {
        precondition(
            capacity >= bandFrames && capacity & (capacity - 1) == 0, "\(capacity) holds \(bandFrames)")
        self.bandFrames = bandFrames
        mask = capacity - 1
        costsByReference = .allocate(capacity: capacity)
        costsByReference.initialize(repeating: .infinity, count: capacity)
        costsByLive = .allocate(capacity: capacity)
        costsByLive.initialize(repeating: .infinity, count: capacity)
    }

    deinit {
        costsByReference.deallocate()
        costsByLive.deallocate()
    }

    /// Forgets everything; the path will begin at this reference frame.
    func begin(atReference start: Int) {
        newestLive = -1
        newestReference = start
        self.start = start
    }

    /// The reference frames that the newest live frame is compared with.
    var references: ClosedRange<Int> { max(start, newestReference - bandFrames + 1)...newestReference }

    /// The live frames that the newest reference frame is compared with.
    var lives: ClosedRange<Int> { max(0, newestLive - bandFrames + 1)...newestLive }

    /// Advances by one live frame.
    /// - Parameter local: returns the local cost of the new live frame with a reference frame of ``references``.
    func advanceLive(_ local: (Int) -> Float) {
        newestLive += 1
        if newestLive == 0 {
            costsByReference[newestReference & mask] = 2 * Double(local(newestReference))
        } else {
            extend(costsByReference, over: references, local)
        }
        costsByLive[newestLive & mask] = costsByReference[newestReference & mask]
    }

    /// Advances by one reference frame.
    /// - Parameter local: returns the local cost of the new reference frame with a live frame of ``lives``.
    func advanceReference(_ local: (Int) -> Float) {
        newestReference += 1
        extend(costsByLive, over: lives, local)
        costsByReference[newestReference & mask] = costsByLive[newestLive & mask]
    }

    /// Replaces the path costs of an edge (a row or column of cells) by those of the next one, in place.
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

    /// Returns the path cost of the newest live frame with a reference frame of ``references``.
    func pathCost(reference: Int) -> Double { costsByReference[reference & mask] }

    /// Returns the reference frame that best fits the newest live frame, and its path cost per step.
    func bestReference() -> (frame: Int, meanCost: Double) {
        let travelled = newestLive + 2 - start
        return best(costsByReference, over: references) { $0 + travelled }
    }

    /// Returns the live frame that best fits the newest reference frame, and its path cost per step.
    func bestLive() -> (frame: Int, meanCost: Double) {
        let travelled = newestReference - start + 2
        return best(costsByLive, over: lives) { $0 + travelled }
    }

    /// Returns the frame with the least mean cost; if several are equal, the newest of them.
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
