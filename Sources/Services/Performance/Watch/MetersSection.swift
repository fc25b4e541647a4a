/// The figures a technician glances at: the console's section `meters`.
struct MetersSection: Encodable {
    struct Clients: Encodable {
        var console: Int
        var audience: Int
        var osc: Int
    }

    var peakDb: Double
    var rmsDb: Double
    var noiseFloorDb: Double
    var clipped: Int
    var silentSeconds: Double
    var inputLost: Bool
    var xruns: Int
    var hopP99Ms: Double
    var hopWorstMs: Double
    var overruns: Int
    var packetsPerSecond: Double
    var packetsSent: Int
    var packetsFailed: Int
    var clients: Clients
    var captureToReportMs: Double
    var reportToPacketMs: Double
    var clock: String
    var diskFreeGb: Double
    var logBytes: Int
    @OrNull var confidence: Double?
    var reportAgeMs: Double
}
