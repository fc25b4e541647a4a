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
    private var startReferenceFrame = 0
    private let bandFrames: Int
    private let slotMask: Int
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
        slotMask = capacity - 1
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
        self.startReferenceFrame = start
    }

    /// The reference frames that the newest live frame is compared with.
    var comparedReferenceFrames: ClosedRange<Int> {
        max(startReferenceFrame, newestReference - bandFrames + 1)...newestReference
    }

    /// The live frames that the newest reference frame is compared with.
    var comparedLiveFrames: ClosedRange<Int> { max(0, newestLive - bandFrames + 1)...newestLive }

    /// Advances by one live frame.
    /// - Parameter local: returns the local cost of the new live frame with a reference frame of
    ///   ``comparedReferenceFrames``.
    func advanceLive(_ local: (Int) -> Float) {
        newestLive += 1
        if newestLive == 0 {
            costsByReference[newestReference & slotMask] = 2 * Double(local(newestReference))
        } else {
            extendCosts(costsByReference, over: comparedReferenceFrames, local)
        }
        costsByLive[newestLive & slotMask] = costsByReference[newestReference & slotMask]
    }

    /// Advances by one reference frame.
    /// - Parameter local: returns the local cost of the new reference frame with a live frame of
    ///   ``comparedLiveFrames``.
    func advanceReference(_ local: (Int) -> Float) {
        newestReference += 1
        extendCosts(costsByLive, over: comparedLiveFrames, local)
        costsByReference[newestReference & slotMask] = costsByLive[newestLive & slotMask]
    }

    /// Replaces the path costs of an edge (a row or column of cells) by those of the next one, in place.
    private func extendCosts(
        _ edge: UnsafeMutablePointer<Double>, over range: ClosedRange<Int>, _ local: (Int) -> Float
    ) {
        // Cells that left the band cannot be reached.
        var diagonal = Double.infinity
        var before = Double.infinity
        for frame in range {
            let cost = Double(local(frame))
            let old = edge[frame & slotMask]
            before = min(min(old, before) + cost, diagonal + 2 * cost)
            edge[frame & slotMask] = before
            diagonal = old
        }
    }

    /// Returns the path cost of the newest live frame with a reference frame of ``comparedReferenceFrames``.
    func pathCostOfNewestLive(reference: Int) -> Double { costsByReference[reference & slotMask] }

    /// Returns the reference frame that best fits the newest live frame, and its path cost per step.
    func bestReferenceFrame() -> (frame: Int, meanCost: Double) {
        let travelled = newestLive + 2 - startReferenceFrame
        return findLeastMeanCost(costsByReference, over: comparedReferenceFrames) { $0 + travelled }
    }

    /// Returns the live frame that best fits the newest reference frame, and its path cost per step.
    func bestLiveFrame() -> (frame: Int, meanCost: Double) {
        let travelled = newestReference - startReferenceFrame + 2
        return findLeastMeanCost(costsByLive, over: comparedLiveFrames) { $0 + travelled }
    }

    /// Returns the frame with the least mean cost; if several are equal, the newest of them.
    private func findLeastMeanCost(
        _ edge: UnsafeMutablePointer<Double>, over range: ClosedRange<Int>, length: (Int) -> Int
    ) -> (frame: Int, meanCost: Double) {
        var frame = range.upperBound
        var least = Double.infinity
        for candidate in range {
            let meanCost = edge[candidate & slotMask] / Double(length(candidate))
            if meanCost <= least {
                least = meanCost
                frame = candidate
            }
        }
        return (frame, least)
    }
}
