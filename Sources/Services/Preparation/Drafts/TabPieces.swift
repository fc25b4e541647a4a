import WebServer

/// Tabs that were made to follow their players. Whoever is signed in may make them; they are private, few, and the
/// oldest one makes room for a new one.
enum TabPieces {
    static let mostOfAccount = 5
    /// The most of all accounts, and how many of them only technicians and administrators may use. The rest of the
    /// library is for the pieces of the house.
    static let mostOfAll = 100
    static let reserve = 10
    /// The most that are being learned or wait for it, so that the pieces of the house wait a short time only.
    static let mostWaiting = 6
    static let waitingReserve = 2
    static let largestScoreBytes = 2_000_000
    /// About half an hour of music.
    static let mostBars = 600

    static let folderPrefix = "tab-"

    /// The folder of a tab's model and recordings.
    static func folder(of piece: String) -> String {
        folderPrefix + piece.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(12)
    }

    /// True if a text can be the id that the page Practice gives to a tab.
    static func isValidTab(_ id: String) -> Bool {
        (8...40).contains(id.utf8.count)
            && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }

    static func most(_ all: Int, keeping reserve: Int, for role: WebRole) -> Int {
        WebRole.operators.contains(role) ? all : all - reserve
    }
}

extension DraftLibrary {
    func tabPieces() -> [DraftRecord] {
        list().compactMap { piece in
            guard case .readable(let record) = piece, record.tabOwner != nil else { return nil }
            return record
        }
    }

    /// Makes a piece of a person's tab, whose id on the page is `tab`, and takes the person's oldest ones away if there are too many.
    /// - Returns: its id, and the pieces that were taken away.
    func createTabPiece(name: String, tab: String? = nil, by person: WebPerson) throws(Refusal) -> (
        String, removed: [DraftRecord]
    ) {
        let all = tabPieces()
        let own = all.filter { $0.tabOwner == person.id }
        let removed = own.sorted { $0.changedAt < $1.changedAt }.prefix(
            max(own.count - TabPieces.mostOfAccount + 1, 0))
        let most = TabPieces.most(TabPieces.mostOfAll, keeping: TabPieces.reserve, for: person.role)
        guard all.count - removed.count < most else {
            throw .refused(
                code: "full",
                sentence: "\(all.count) tabs follow their players, the most on this server. Ask an editor to "
                    + "delete some on the page /prepare.")
        }
        let id = try create(name: name, tabOwner: person.id, tab: tab)
        for record in removed { try delete(record.id) }
        return (id, Array(removed))
    }

    /// Refuses a task of a tab if too many wait already.
    func checkTabTask(of record: DraftRecord, by person: WebPerson) throws(Refusal) {
        let waiting = tabPieces().filter {
            $0.id != record.id && $0.pending.contains { !$0.task.isInBackground }
        }
        guard !waiting.contains(where: { $0.tabOwner == person.id }) else {
            throw .refused(
                code: "busy",
                sentence: "The server still learns another tab of yours. Wait until it is ready.")
        }
        let most = TabPieces.most(TabPieces.mostWaiting, keeping: TabPieces.waitingReserve, for: person.role)
        guard waiting.count < most else {
            throw .refused(
                code: "busy",
                sentence: "The server learns \(waiting.count) other tabs. Try again in a minute.")
        }
        guard record.score?.bars ?? 0 <= TabPieces.mostBars else {
            throw .refused(
                code: "too-long",
                sentence: "A tab of up to \(TabPieces.mostBars) bars can follow its player. Split this one.")
        }
    }
}
