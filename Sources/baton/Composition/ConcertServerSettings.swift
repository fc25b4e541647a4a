import BackupLink
import Following
import Performance
import WebServer

/// The settings of a server that are chosen before it starts.
package struct ConcertServerSettings: Sendable {
    /// The data folder of a server if no other one is given.
    package static let defaultDataFolder = "Data"

    package var performance: PerformanceComponents.Settings
    package var web: WebSettings
    /// The folder of prepared models.
    package var models: String
    /// The secret shared by the two servers of a pair; nil for a single server.
    package var linkKey: LinkKey?
    /// The name of this server in the topics of a broker.
    package var brokerName: String
    /// The length of the listening test in the pre-show check, in seconds.
    package var checkSeconds: Double
    /// The path of the true measure times, against which the report on the performance judges the follower; nil for no
    /// judgement.
    package var trueMeasureTimesPath: String?
    package var makePacketSender: PacketSenderMaker

    /// A function that opens the sender of the packets to phones, or returns nil if no packets are sent. The sender
    /// calls the given closure before each packet and sends it only if the result is true.
    package typealias PacketSenderMaker =
        @Sendable (OpenedShow, Programme, @escaping @Sendable () -> Bool) async throws -> PhonePacketSender?

    package init(
        performance: PerformanceComponents.Settings, web: WebSettings, models: String,
        linkKey: LinkKey? = nil, brokerName: String = "hall", checkSeconds: Double = 30,
        trueMeasureTimesPath: String? = nil,
        makePacketSender: @escaping PacketSenderMaker
    ) {
        self.performance = performance
        self.web = web
        self.models = models
        self.linkKey = linkKey
        self.brokerName = brokerName
        self.checkSeconds = checkSeconds
        self.trueMeasureTimesPath = trueMeasureTimesPath
        self.makePacketSender = makePacketSender
    }
}
