/// A user who makes, changes, copies and removes layers of sections; decides which.
///
/// A librarian does so everywhere. The leader of a section, such as the concertmaster, does so for layers that are
/// about parts of the section alone.
public struct LayerKeeper: Hashable, Sendable {
    public let user: User.ID
    public let isLibrarian: Bool
    /// The parts that this user leads, as indices into ``Score/parts``.
    public var ledParts: Set<Int>

    public init(user: User.ID, isLibrarian: Bool, ledParts: Set<Int> = []) {
        self.user = user
        self.isLibrarian = isLibrarian
        self.ledParts = ledParts
    }

    /// True if this user may change the name, the parts and the writers of a layer, copy it and remove it.
    public func mayChange(_ layer: ScoreLayer) -> Bool {
        layer.kind == .section && (isLibrarian || layer.isWithin(ledParts))
    }

    /// Checks that this user may make a layer of a section, or change one.
    /// - Parameters:
    ///   - layer: the layer as it will be.
    ///   - known: the layer as it is; nil if it is new.
    ///   - counts: the standing layers of sections in the score, and those of them that this user has made.
    public func checkPutting(
        _ layer: ScoreLayer, over known: ScoreLayer?, _ counts: (all: Int, own: Int)
    ) throws(RoomRefusal) {
        guard known.map({ $0.kind == .section }) ?? true else { throw .usedID }
        guard isLibrarian || !ledParts.isEmpty else { throw .leadsNoSection }
        guard mayChange(layer), known.map(mayChange) ?? true else { throw .notYourSection }
        guard known == nil else { return }
        let most = ScoreRemarkLimits.mostSectionLayers - (isLibrarian ? 0 : ScoreRemarkLimits.reservedLayers)
        guard counts.all < most else { throw .scoreFull("layers of sections", most: most) }
        guard isLibrarian || counts.own < ScoreRemarkLimits.mostLayersOfLeader else {
            throw .scoreFull("layers that you have made", most: ScoreRemarkLimits.mostLayersOfLeader)
        }
    }

    /// Checks that this user may copy a layer's remarks into these parts.
    public func checkSpreading(_ layer: ScoreLayer, toParts parts: [Int]) throws(RoomRefusal) {
        guard layer.kind == .section else { throw .noScoreLayer }
        guard isLibrarian || !ledParts.isEmpty else { throw .leadsNoSection }
        guard mayChange(layer), isLibrarian || ledParts.isSuperset(of: parts) else { throw .notYourSection }
    }

    /// Checks that this user may remove a layer with its remarks.
    public func checkRemoving(_ layer: ScoreLayer?) throws(RoomRefusal) {
        guard let layer, layer.isVisible(to: user) else { throw .noScoreLayer }
        switch layer.kind {
        case .own: throw .ownLayerStays
        case .everybody: throw .roomLayerStays
        case .given: return
        case .section: guard mayChange(layer) else { throw .sectionLayerStays }
        }
    }
}

extension ScoreLayer {
    /// True if the layer names its parts, and all of them are among these.
    public func isWithin(_ parts: Set<Int>) -> Bool {
        !self.parts.isEmpty && parts.isSuperset(of: self.parts)
    }

    /// True if the leader of these parts writes on the layer in one of them: a layer of a section that names it.
    public func isWritten(byLeaderOf ledParts: Set<Int>, inPart part: Int) -> Bool {
        kind == .section && parts.contains(part) && ledParts.contains(part)
    }
}

extension RoomRefusal {
    static let leadsNoSection = RoomRefusal(
        .notAllowed, "Only librarians and leaders of sections do this; ask a librarian to name you.")
    static let notYourSection = RoomRefusal(
        .notAllowed, "This layer is about parts that you do not lead; choose parts of your section alone.")
    static let ownLayerStays = RoomRefusal(
        .notAllowed, "Your own layer stays; erase its remarks, or hide it.")
    static let roomLayerStays = RoomRefusal(
        .notAllowed, "This layer belongs to everybody in the room; erase your own remarks, or hide it.")
    static let sectionLayerStays = RoomRefusal(
        .notAllowed, "Only librarians and the section's leader remove this layer; hide it, or ask one.")
}
