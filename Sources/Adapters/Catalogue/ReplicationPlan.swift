/// Decides which of two databases copies from the other. Pure.
extension ReplicationState {
    /// The change number after which a replica must resume; nil if it needs the whole database.
    public func start(for copy: ReplicationPosition?) -> Int64? {
        guard let copy, copy.lineage == own.lineage, (0...own.number).contains(copy.number) else {
            return nil
        }
        return copy.number
    }

    /// The change number up to which this database holds another one's history; nil if it never copied from it.
    public func holds(of lineage: String) -> Int64? { followed?.lineage == lineage ? followed?.number : nil }

    /// True if people made changes here that the database to copy from does not have.
    /// - Parameter held: the number of our changes up to which the other database has them.
    public func hasUnreplicatedWork(held: Int64?) -> Bool { work > replicatedWork && work > (held ?? 0) }
}
