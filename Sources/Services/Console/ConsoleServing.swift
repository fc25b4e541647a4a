import Hosting
import WebServer

/// The service that feeds the console: it publishes the show engine's state as sections of the live stream.
package struct ConsoleServing: HostedService {
    package let name = "console"
    let output: ConsoleOutput

    package init(_ output: ConsoleOutput) { self.output = output }

    package var routes: [WebRoute] { [CueRights.route] }
    package var outputs: [any ShowOutput] { [output] }

    package var sections: [ConsoleSection] {
        [.show, .position, .follower, .history, .cues, .programme, .message, .help, .faults]
    }
}
