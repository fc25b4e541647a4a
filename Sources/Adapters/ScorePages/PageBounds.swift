import Platform

extension LimitedProcess.ResourceLimits {
    /// The limits for drawing a page or reading a list of pages. For comparison: a scan at 600 dpi takes some 3
    /// seconds and 200 MB.
    static let pageDrawing = LimitedProcess.ResourceLimits(
        cpuSeconds: 15, wallSeconds: 30, memoryBytes: 1_500_000_000, largestFileBytes: 100_000_000,
        niceness: 5)
}
