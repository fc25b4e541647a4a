import Catalogue
import Diary
import Foundation
import Hosting
import WebServer

/// The service of the diary: its page, its API, and the entry that each evening writes.
package struct DiaryKeepingService: HostedService {
    private let store: DiaryStore
    private let data: String
    private let tokens: DiaryTokens
    private let gate: DiaryGate
    private let links: DiaryLinks
    private let keeper: EveningKeeper
    private let concertEnd = ConcertEndOutput()
    private let runningShow: @Sendable () -> String?
    private let countries: CountryList
    private let say: @Sendable (String) -> Void

    /// Opens the diary.
    /// - Parameters:
    ///   - data: the server's data folder.
    ///   - runningShow: the name of the folder of the show that is running; nil if there is none.
    ///   - timeZone: the time zone of the hall.
    ///   - say: called with messages for people.
    package init(
        data: String, catalogue: CatalogueStore, runningShow: @escaping @Sendable () -> String?,
        timeZone: TimeZone = .current, countries: CountryList = .installed,
        say: @escaping @Sendable (String) -> Void
    ) throws(CatalogueError) {
        store = try DiaryStore(path: data + "/" + DiaryStore.fileName)
        self.data = data
        tokens = DiaryTokens(catalogue: catalogue)
        gate = DiaryGate(tokens: tokens)
        links = DiaryLinks(data: data, runningShow: runningShow)
        keeper = EveningKeeper(store: store, data: data, timeZone: timeZone, say: say)
        (self.runningShow, self.countries, self.say) = (runningShow, countries, say)
    }

    package var showOutputs: [any ShowOutput] { [concertEnd] }

    package var routes: [WebRoute] {
        PageRoutes(store: store, gate: gate, links: links).routes + ChangeRoutes(store: store).routes
            + TokenRoutes(tokens: tokens).routes
            + SourceRoutes(store: store, gate: gate).routes
            + FeedRoutes(store: store, gate: gate, data: data).routes
    }

    package func run() async throws {
        await seedCountries()
        let (keeper, running, ends) = (keeper, runningShow, concertEnd.ends)
        await cancelWhenGracefulShutdown {
            await keeper.proposeEntries(except: running())
            if let show = running() { await keeper.proposeEntry(ofRunning: show) }
            for await _ in ends {
                if let show = running() { await keeper.proposeEntry(ofRunning: show) }
            }
        }
    }

    /// Adds the countries that the diary does not have yet. Names that an administrator changed stay.
    private func seedCountries() async {
        if let sentence = countries.missingSentence { say(sentence + "\n") }
        do {
            let known = Set(try await store.countries().map(\.code))
            let new = countries.countries.filter { !known.contains($0.code) }
            if !new.isEmpty { try await store.save(new) }
        } catch {
            say("The list of countries could not be written into the diary: \(error)\n")
        }
    }
}
