import Hosting
import WebServer

/// The service that feeds the console: it publishes the show engine's state as sections of the live stream.
package struct ConsoleService: HostedService {
    let consoleOutput: ConsoleOutput
    package let replicatedFolders: [ReplicatedFolder]

    /// - Parameter plans: the folder of the planned evenings.
    package init(_ output: ConsoleOutput, plans: ReplicatedFolder? = nil) {
        consoleOutput = output
        replicatedFolders = plans.map { [$0] } ?? []
    }

    package var routes: [WebRoute] { [CuePermissions.cueKindsRoute] }
    package var showOutputs: [any ShowOutput] { [consoleOutput] }
}

/// The sections of the console's live stream that show the state of the show, its cues and its faults.
extension ConsoleSection {
    static let showSwitches = Self("show")
    static let position = Self("position")
    static let follower = Self("follower")
    static let confidenceHistory = Self("history")
    static let cues = Self("cues")
    static let programme = Self("programme")
    static let audienceMessage = Self("message")
    static let followerHelpRequest = Self("help")
    static let faults = Self("faults")
}
