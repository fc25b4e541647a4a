/// What on-line time warping can be told.
public struct OnlineTimeWarpingSettings: Sendable, Hashable {
    /// Frames of each side that a new frame of the other is compared with: the search band.
    public var bandFrames: Int
    /// One side goes on alone at most this many times in a row.
    public var maxRunCount: Int
    /// Frames at the start through which both sides go on together, while the band holds too little to choose by.
    public var openingFrames: Int

    public init(bandFrames: Int = 500, maxRunCount: Int = 3, openingFrames: Int = 50) {
        precondition(
            bandFrames > 1 && maxRunCount > 0 && openingFrames >= 0, "the band and the runs have frames")
        self.bandFrames = bandFrames
        self.maxRunCount = maxRunCount
        self.openingFrames = openingFrames
    }
}
