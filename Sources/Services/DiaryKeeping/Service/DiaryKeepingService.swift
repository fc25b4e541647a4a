import Catalogue
import Diary
import Foundation
import Hosting
import Podium
import ServiceLifecycle
import WebServer

/// The service of the diary: its page, its API, and the entry that each evening writes.
package struct DiaryKeepingService: HostedService {
    private let store: DiaryStore
    private let data: String
    private let tokens: DiaryTokens
    private let gate: DiaryGate
    private let links: DiaryLinks
    private let holdings: WorkHoldings
    private let sources: [any OutsideSource]
    private let keeper: EveningKeeper
    private let concertEnd = ConcertEndOutput()
    private let catalogue: CatalogueStore
    private let isActiveServer: @Sendable () -> Bool
    private let runningShow: @Sendable () -> String?
    private let runningEvening: @Sendable () -> String?
    private let readCountries: @Sendable () -> CountryList
    private let readProgramme: @Sendable () -> ShowProgramme
    private let timeZone: TimeZone
    private let say: @Sendable (String) -> Void

    /// Opens the diary.
    /// - Parameters:
    ///   - data: the server's data folder.
    ///   - runningShow: the name of the folder of the show that is running; nil if there is none.
    ///   - runningEvening: the name of the running evening, the same on both servers of a pair.
    ///   - programme: reads tonight's programme.
    ///   - isActiveServer: true if this server writes; on a backup server, which copies the diary, nothing is written.
    ///   - modelsFolder: the folder of prepared pieces; nil if there is none.
    ///   - sources: outside sources that people may ask; usually none.
    ///   - timeZone: the time zone of the hall.
    ///   - countries: reads the list of countries, for a diary that has none yet.
    ///   - say: called with messages for people.
    package init(
        data: String, catalogue: CatalogueStore, runningShow: @escaping @Sendable () -> String?,
        runningEvening: @escaping @Sendable () -> String?,
        programme: @escaping @Sendable () -> ShowProgramme,
        isActiveServer: @escaping @Sendable () -> Bool = { true }, modelsFolder: String? = nil,
        sources: [any OutsideSource] = [], timeZone: TimeZone = .current,
        countries: @escaping @Sendable () -> CountryList = { .installed },
        say: @escaping @Sendable (String) -> Void
    ) throws(CatalogueError) {
        store = try DiaryStore(path: data + "/" + DiaryStore.fileName)
        (self.data, self.catalogue, self.isActiveServer) = (data, catalogue, isActiveServer)
        tokens = DiaryTokens(catalogue: catalogue)
        gate = DiaryGate(tokens: tokens)
        links = DiaryLinks(data: data, runningShow: runningShow, runningEvening: runningEvening)
        holdings = WorkHoldings(
            catalogue: catalogue, modelsFolder: modelsFolder, readProgramme: programme)
        self.sources = sources
        keeper = EveningKeeper(store: store, data: data, timeZone: timeZone, say: say)
        (self.runningShow, self.runningEvening) = (runningShow, runningEvening)
        (readProgramme, readCountries, self.say) = (programme, countries, say)
        self.timeZone = timeZone
    }

    package var showOutputs: [any ShowOutput] { [concertEnd] }

    package var routes: [WebRoute] {
        let tonight = TonightRoute(
            store: store, gate: gate, runningEvening: runningEvening, readProgramme: readProgramme,
            isMusicLive: { [concertEnd] in concertEnd.isMusicLive },
            musicSince: { [concertEnd] in concertEnd.musicSince }, timeZone: timeZone)
        let bands = BandKeeper(store: store, sources: sources)
        let parts: [[WebRoute]] = [
            PageRoutes(store: store, gate: gate, links: links, holdings: holdings).routes, [tonight.route],
            ChangeRoutes(store: store).routes, TokenRoutes(tokens: tokens).routes,
            WorkRoutes(store: store, holdings: holdings).routes,
            EntityRoutes(store: store, bands: bands).routes,
            OutsideRoutes(store: store, sources: sources).routes,
            SourceRoutes(store: store, gate: gate, bandKeeper: bands).routes,
            FeedRoutes(store: store, gate: gate, data: data).routes,
        ]
        return parts.flatMap { $0 }.explaining(explainDiaryError)
    }

    package var replicatedStores: [ReplicatedStore] {
        [
            ReplicatedStore(.diary, onBecomingActive: { await beginWriting() }) { _ in },
            ReplicatedStore(.catalogue) { tables in
                if isActiveServer(), !tables.isDisjoint(with: ["erasure", "all"]) { await eraseAccounts() }
            },
        ]
    }

    package func run() async throws {
        let (keeper, running, ends) = (keeper, runningShow, concertEnd.ends)
        await cancelWhenGracefulShutdown {
            if isActiveServer() { await beginWriting() }
            await withTaskGroup { group in
                group.addTask {
                    for await _ in ends where isActiveServer() {
                        if let show = running() { await keeper.proposeEntry(ofRunning: show) }
                    }
                }
                group.addTask {
                    while !Task.isCancelled {
                        try? await Task.sleep(for: .seconds(60))
                        if isActiveServer() { await eraseAccounts() }
                    }
                }
            }
        }
    }

    /// Writes what the diary lacks: the list of countries, and entries of evenings that have none.
    private func beginWriting() async {
        await seedCountries()
        await eraseAccounts()
        let show = runningShow()
        await keeper.proposeEntries(except: show)
        if let show { await keeper.proposeEntry(ofRunning: show) }
    }

    /// Removes the personal documents of accounts that are gone.
    private func eraseAccounts() async {
        for account in (try? await catalogue.erasures(of: .account)) ?? [] {
            try? await store.removePersonalDocuments(of: account)
        }
    }

    /// Fills the list of countries once. Names that an administrator changed stay.
    private func seedCountries() async {
        do {
            guard try await store.countries().isEmpty else { return }
            let read = readCountries
            let list = await Task.detached(priority: .utility) { read() }.value
            if let sentence = list.missingSentence { say(sentence + "\n") }
            if !list.countries.isEmpty { try await store.save(list.countries) }
        } catch {
            say("The list of countries could not be written into the diary: \(error)\n")
        }
    }
}
