import BackupLink
import Following
import Performance
import WebServer

/// Everything about a server that somebody chooses before it starts.
package struct ConcertServerSettings: Sendable {
    /// The data folder of a server that was not told another one.
    package static let standardData = "Data"

    package var performance: PerformanceComponents.Settings
    package var web: WebSettings
    /// Folder of prepared models.
    package var models: String
    /// The secret of two servers; needed only if there is another one.
    package var linkKey: LinkKey?
    /// The name of this server in the topics of a broker.
    package var brokerName: String
    /// Length of the live match test of the check before the show.
    package var checkSeconds: Double
    /// Path of the true measure times, to judge the performance by in its report; nil for no judgement.
    package var truth: String?
    package var packets: PacketSenderMaker

    /// Opens the sender of the phones' packets; nil sends none. The sender asks the closure before each packet.
    package typealias PacketSenderMaker =
        @Sendable (OpenedShow, Programme, @escaping @Sendable () -> Bool) async throws -> PhonePacketSender?

    package init(
        performance: PerformanceComponents.Settings, web: WebSettings, models: String,
        linkKey: LinkKey? = nil, brokerName: String = "hall", checkSeconds: Double = 30, truth: String? = nil,
        packets: @escaping PacketSenderMaker
    ) {
        self.performance = performance
        self.web = web
        self.models = models
        self.linkKey = linkKey
        self.brokerName = brokerName
        self.checkSeconds = checkSeconds
        self.truth = truth
        self.packets = packets
    }
}
