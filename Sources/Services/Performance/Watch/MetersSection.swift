import Hosting

/// The console's section `meters`: the figures that a technician watches during the show.
package struct MetersSection: Encodable {
    package struct ClientCounts: Encodable {
        package var console: Int
        package var audience: Int
        package var osc: Int

        package init(console: Int, audience: Int, osc: Int) {
            self.console = console
            self.audience = audience
            self.osc = osc
        }
    }

    var peakDb: Double
    var rmsDb: Double
    var noiseFloorDb: Double
    /// The held peak of each input of the device, by number, whichever is heard; empty if the sound comes from a file.
    var channelPeaksDb: [Double]
    /// The level of the hall's silence, as measured with this device; nil if nobody has measured it.
    @OrNull var silenceDb: Double? = nil
    var clipped: Int
    var silentSeconds: Double
    var inputLost: Bool
    var xruns: Int
    var hopP99Ms: Double
    var hopWorstMs: Double
    var overruns: Int
    package var packetsPerSecond: Double
    var packetsSent: Int
    var packetsFailed: Int
    package var clients: ClientCounts
    var captureToReportMs: Double
    var reportToPacketMs: Double
    package var clock: String
    var diskFreeGb: Double
    var logBytes: Int
    @OrNull package var confidence: Double?
    var reportAgeMs: Double
}
