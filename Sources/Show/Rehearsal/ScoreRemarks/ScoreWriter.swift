/// A user who writes into a score; decides what this user may do to its remarks.
///
/// Refusals do not tell whether a layer or a remark that the user may not see exists.
public struct ScoreWriter: Hashable, Sendable {
    public let reader: ScoreReader
    public var user: User.ID { reader.user }
    /// Librarians also edit and erase what others wrote on layers of sections.
    public let isLibrarian: Bool
    /// The number of pages of each part.
    public let pageCounts: [Int]
    /// The parts that this user leads: there, the user writes on layers of sections, and edits and erases what others
    /// wrote on them.
    public var ledParts: Set<Int>

    public init(
        user: User.ID, roomLayers: [ScoreLayer] = [], isLibrarian: Bool, pageCounts: [Int],
        ledParts: Set<Int> = []
    ) {
        reader = ScoreReader(user, roomLayers: roomLayers)
        self.isLibrarian = isLibrarian
        self.pageCounts = pageCounts
        self.ledParts = ledParts
    }

    /// A remark that is stored under an id.
    public struct KnownRemark: Hashable, Sendable {
        public var remark: Remark
        public var isErased: Bool

        public init(_ remark: Remark, isErased: Bool = false) {
            self.remark = remark
            self.isErased = isErased
        }
    }

    /// The number of standing remarks on the layer, and of this author in the score.
    public struct Counts: Hashable, Sendable {
        public var ofLayer: Int
        public var ofAuthor: Int

        public init(ofLayer: Int, ofAuthor: Int) {
            self.ofLayer = ofLayer
            self.ofAuthor = ofAuthor
        }
    }

    /// Decides whether a new remark is added.
    /// - Parameters:
    ///   - layer: the remark's layer; nil if there is none.
    ///   - known: what is stored under the remark's id on that layer.
    /// - Returns: false if the remark is there already, or was erased: this is a late copy.
    public func places(
        _ remark: Remark, on layer: ScoreLayer?, known: KnownRemark?, _ counts: Counts
    ) throws(RoomRefusal) -> Bool {
        try checkMayAdd(remark, to: layer)
        if let known {
            guard known.remark.author == user else { throw .usedID }
            return false
        }
        try checkRoom(counts, on: layer)
        return true
    }

    /// Decides whether an erased remark comes back.
    /// - Returns: false if it stands already.
    public func restores(
        _ remark: Remark, on layer: ScoreLayer?, known: KnownRemark?, _ counts: Counts
    ) throws(RoomRefusal) -> Bool {
        if let known, let layer, isCorrection(of: known.remark, by: remark, on: layer) {
            try checkPage(remark.page, ofPart: remark.part)
        } else {
            try checkMayAdd(remark, to: layer)
            if let known, known.remark.author != user { throw .usedID }
        }
        if let known, !known.isErased { return false }
        try checkRoom(counts, on: layer)
        return true
    }

    /// Returns the remark as an edit leaves it.
    public func edited(_ known: KnownRemark?, on layer: ScoreLayer?, by edit: RemarkEdit) throws(RoomRefusal)
        -> Remark
    {
        var remark = try standing(known, on: layer)
        edit.apply(to: &remark)
        try checkPage(remark.page, ofPart: remark.part)
        return remark
    }

    /// Checks that this user may erase a remark.
    public func checkErasing(_ known: KnownRemark?, on layer: ScoreLayer?) throws(RoomRefusal) {
        _ = try standing(known, on: layer)
    }

    /// Checks that a bookmark is on an existing page.
    public func check(_ bookmark: ScoreBookmark) throws(RoomRefusal) {
        try checkPage(bookmark.page, ofPart: bookmark.part)
    }

    private func standing(_ known: KnownRemark?, on layer: ScoreLayer?) throws(RoomRefusal) -> Remark {
        guard let layer, layer.isVisible(to: user), let known, !known.isErased else { throw .noRemark }
        if corrects(known.remark.part, on: layer) { return known.remark }
        guard known.remark.author == user else { throw .notYourRemark }
        guard layer.mayWrite(user) else { throw .notAWriter }
        return known.remark
    }

    private func checkMayAdd(_ remark: Remark, to layer: ScoreLayer?) throws(RoomRefusal) {
        guard remark.author == user else { throw .notYourRemark }
        guard let layer, layer.isVisible(to: user) else { throw .noScoreLayer }
        guard layer.mayWrite(user) || leads(remark.part, on: layer) else {
            throw layer.kind == .everybody ? .noSession : .notAWriter
        }
        try checkPage(remark.page, ofPart: remark.part)
        guard layer.covers(part: remark.part) else { throw .notThisPart }
    }

    /// True if this user edits and erases what others wrote on a layer in this part.
    private func corrects(_ part: Int, on layer: ScoreLayer) -> Bool {
        layer.kind == .section && (isLibrarian || leads(part, on: layer))
    }

    /// True if another's remark comes back, as its author's, by somebody who may erase it.
    private func isCorrection(of known: Remark, by remark: Remark, on layer: ScoreLayer) -> Bool {
        remark.author != user && remark.author == known.author && remark.part == known.part
            && corrects(remark.part, on: layer)
    }

    private func leads(_ part: Int, on layer: ScoreLayer) -> Bool {
        layer.isWritten(byLeaderOf: ledParts, inPart: part)
    }

    private func checkRoom(_ counts: Counts, on layer: ScoreLayer?) throws(RoomRefusal) {
        let most = layer?.mostRemarks ?? 0
        guard counts.ofLayer < most else { throw .scoreFull("remarks on this layer", most: most) }
        guard counts.ofAuthor < ScoreRemarkLimits.mostRemarksOfAuthor else {
            throw .scoreFull("remarks of yours", most: ScoreRemarkLimits.mostRemarksOfAuthor)
        }
    }

    private func checkPage(_ page: Int, ofPart part: Int) throws(RoomRefusal) {
        guard pageCounts.indices.contains(part) else { throw .noPart(part) }
        guard (0..<pageCounts[part]).contains(page) else { throw .noPage(page, ofPart: part) }
    }
}

extension RoomRefusal {
    public static let noScoreLayer = RoomRefusal(
        .noLayer, "There is no such layer in this score; open the score again.")
    static let notAWriter = RoomRefusal(
        .notAllowed, "Only those who were named write on this layer; write on your own.")
    static let notThisPart = RoomRefusal(
        .notAllowed, "This layer is not about this part; write on your own, or ask a librarian to widen it.")

    public static func scoreFull(_ things: String, most: Int) -> RoomRefusal {
        RoomRefusal(
            .full, "There are \(most) \(things) in this score already, the most it takes; remove some.")
    }
}
