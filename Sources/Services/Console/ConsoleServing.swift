import Hosting
import WebServer

/// The service that feeds the console: it publishes the show engine's state as sections of the live stream.
package struct ConsoleServing: HostedService {
    let output: ConsoleOutput

    package init(_ output: ConsoleOutput) { self.output = output }

    package var routes: [WebRoute] { [CueRights.route] }
    package var outputs: [any ShowOutput] { [output] }
}

/// The sections of the console's live stream that show the state of the show, its cues and its faults.
extension ConsoleSection {
    static let show = Self("show")
    static let position = Self("position")
    static let follower = Self("follower")
    static let history = Self("history")
    static let cues = Self("cues")
    static let programme = Self("programme")
    static let message = Self("message")
    static let help = Self("help")
    static let faults = Self("faults")
}
