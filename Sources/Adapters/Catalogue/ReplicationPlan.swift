/// Decides which of two databases copies from the other. Reads and writes no database.
extension ReplicationState {
    /// Returns the change number after which a replica must resume; nil if the replica needs the whole database.
    public func resumeNumber(for copy: ReplicationPosition?) -> Int64? {
        guard let copy, copy.lineage == ownPosition.lineage, (0...ownPosition.number).contains(copy.number)
        else {
            return nil
        }
        return copy.number
    }

    /// Returns the change number up to which this database contains the history of another one; nil if it never
    /// copied from the other one.
    public func numberHeld(of lineage: String) -> Int64? {
        copiedFrom?.lineage == lineage ? copiedFrom?.number : nil
    }

    /// True if people made changes in this database that the other database, from which it would copy, does not have.
    /// - Parameter held: the number of the last of our changes that the other database has.
    public func hasUnreplicatedManualChanges(held: Int64?) -> Bool {
        newestManualChange > newestReplicatedManualChange && newestManualChange > (held ?? 0)
    }
}
