/// Settings of on-line time warping.
public struct OnlineTimeWarpingSettings: Sendable, Hashable {
    /// The width of the search band: the number of frames of one side (live or reference) with which a new frame of the
    /// other side is compared.
    public var bandFrames: Int
    /// The largest number of consecutive steps in which one side may advance alone.
    public var maximumStepsOnOneSide: Int
    /// The number of frames at the start in which live music and reference advance together, because too few frames
    /// have been compared to decide which side should advance alone.
    public var openingFrames: Int

    public init(bandFrames: Int = 500, maximumStepsOnOneSide: Int = 3, openingFrames: Int = 50) {
        precondition(
            bandFrames > 1 && maximumStepsOnOneSide > 0 && openingFrames >= 0,
            "the band and the runs have frames")
        self.bandFrames = bandFrames
        self.maximumStepsOnOneSide = maximumStepsOnOneSide
        self.openingFrames = openingFrames
    }
}
