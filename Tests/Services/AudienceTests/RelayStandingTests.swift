import Foundation
import Testing

@testable import Audience
@testable import Content
@testable import Hosting

@Suite struct RelayStandingTests {
    @Test(arguments: [(true, true, true), (true, false, false), (false, true, false), (false, false, false)])
    func theHallIsHeardOnlyWhereBrokerAndServerAreThere(broker: Bool, server: Bool, isHeard: Bool) throws {
        let status = RelayStatus(
            isBrokerConnected: broker, isServerConnected: server, contentRevision: "1.1",
            droppedMessageCount: 0)
        #expect(status.isPositionCurrent == isHeard)
        let told = try #require(
            try JSONSerialization.jsonObject(with: Data(AudienceConcert.encodeJSON(status))) as? [String: Any]
        )
        #expect(told["isHeard"] as? Bool == isHeard)
        #expect(Set(told.keys) == ["broker", "server", "isHeard", "revision", "refused"])
    }
}
