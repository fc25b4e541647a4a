/// Decides which of two databases copies from the other. Pure.
extension CopyStanding {
    /// The change number after which a replica must resume; nil if it needs the whole database.
    public func start(for copy: CopyMark?) -> Int64? {
        guard let copy, copy.lineage == own.lineage, (0...own.number).contains(copy.number) else {
            return nil
        }
        return copy.number
    }

    /// The change number up to which this database holds another one's history; nil if it never copied from it.
    public func holds(of lineage: String) -> Int64? { followed?.lineage == lineage ? followed?.number : nil }

    /// True if people made changes here that the database to copy from does not have.
    /// - Parameter held: the number of our changes up to which the other database has them.
    public func hasUnknownWork(held: Int64?) -> Bool { work > knownWork && work > (held ?? 0) }
}
