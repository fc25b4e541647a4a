/// Settings of on-line time warping.
public struct OnlineTimeWarpingSettings: Sendable, Hashable {
    /// Width of the search band: the number of frames of one side with which a new frame of the other is compared.
    public var bandFrames: Int
    /// Most times in a row that one side may advance alone.
    public var maxRunCount: Int
    /// Number of frames at the start in which live music and reference advance together: too few have been compared
    /// to decide which of the two should advance alone.
    public var openingFrames: Int

    public init(bandFrames: Int = 500, maxRunCount: Int = 3, openingFrames: Int = 50) {
        precondition(
            bandFrames > 1 && maxRunCount > 0 && openingFrames >= 0, "the band and the runs have frames")
        self.bandFrames = bandFrames
        self.maxRunCount = maxRunCount
        self.openingFrames = openingFrames
    }
}
