/// Whose history goes on where: pure, of what two databases know of themselves.
extension CopyStanding {
    /// Behind which number somebody must hear who has this copy of us; nil where only all of it helps.
    public func start(for copy: CopyMark?) -> Int64? {
        guard let copy, copy.lineage == own.lineage, (0...own.number).contains(copy.number) else {
            return nil
        }
        return copy.number
    }

    /// Up to which number we hold another database's history; nil where we never took anything of it.
    public func holds(of lineage: String) -> Int64? { followed?.lineage == lineage ? followed?.number : nil }

    /// Whether something here was made by people and is not where we are going to copy from.
    /// - Parameter held: up to which number of ours the other has it.
    public func hasUnknownWork(held: Int64?) -> Bool { work > knownWork && work > (held ?? 0) }
}
