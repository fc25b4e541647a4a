import Hosting
import WebServer

/// The consoles' side of a running server: what the show engine knows, as sections of their live stream.
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
