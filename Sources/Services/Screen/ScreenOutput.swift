import Floor
import Hosting
import Podium
import Synchronization
import Titles
import WebServer

/// Sends the titles and the speakers' slides to the screens, and to the consoles what the title operator needs.
///
/// A changed title goes to the screens with the effect itself. The snapshots put right what is not an effect, such as
/// an edited text, and on a backup server they are all there is.
final class ScreenOutput: ShowOutput {
    let eventHub: EventHub
    private let consoleStream: ConsoleStream
    private let beats: ScreenBeats
    private let pair: (any PairedServer)?
    private let known = Mutex(Known())

    private struct Known {
        var screenState: ScreenState?
        var floor: FloorState?
        var titles: TitleList?
        var server: ScreenServer?
        var revision = 0
    }

    init(hub: EventHub, consoles: ConsoleStream, beats: ScreenBeats, pair: (any PairedServer)? = nil) {
        eventHub = hub
        self.pair = pair
        consoleStream = consoles
        self.beats = beats
        publish(.empty)
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .titleChanged(let shown) = effect else { return }
        publish(ScreenState(shown, of: course).with(known.withLock { $0.floor }))
    }

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let titles = snapshot.state.shownTitle.map { ScreenState($0, of: snapshot.programme) } ?? .empty
        known.withLock { $0.floor = snapshot.state.floor }
        publish(titles.with(snapshot.state.floor))
        // After the state, so that a screen never turns to a server that has not said what it shows.
        publish(ScreenServer(snapshot, of: pair))
        let revision = known.withLock { known in
            if known.titles != snapshot.piece.titles {
                known.titles = snapshot.piece.titles
                known.revision += 1
            }
            return known.revision
        }
        consoleStream.publish(
            .titles, TitlesSection(snapshot, revision: "\(snapshot.state.piece).\(revision)"))
        consoleStream.publish(.screens, beats.screens)
    }

    private func publish(_ server: ScreenServer) {
        known.withLock { known in
            guard known.server != server else { return }
            known.server = server
            eventHub.publishStateSection("server", JSONBody.encode(server))
        }
    }

    private func publish(_ state: ScreenState) {
        known.withLock { known in
            guard known.screenState != state else { return }
            known.screenState = state
            eventHub.publishStateSection("screen", JSONBody.encode(state))
        }
    }
}

extension ConsoleSection {
    static let titles = Self("titles")
    static let screens = Self("screens")
}
