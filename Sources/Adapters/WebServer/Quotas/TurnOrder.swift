/// The items of many owners in the order of their turns. The owners take turns, so that more items give nobody a larger
/// share. The owners who run the evening come before all others.
struct TurnOrder<Item> {
    private var itemsByOwner: [String: [Item]] = [:]
    /// The owners that have items, in the order of their turns; first those who run the evening.
    private(set) var owners: [String] = []
    private var urgentOwnerCount = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func items(of owner: String) -> [Item] { itemsByOwner[owner] ?? [] }
    func firstItem(of owner: String) -> Item? { itemsByOwner[owner]?.first }
    func count(of holder: ResourceQuota.Holder) -> Int { itemsByOwner[holder.owner]?.count ?? 0 }

    mutating func append(_ item: Item, of holder: ResourceQuota.Holder) {
        count += 1
        guard itemsByOwner[holder.owner] == nil else {
            itemsByOwner[holder.owner]?.append(item)
            return
        }
        itemsByOwner[holder.owner] = [item]
        if holder.trustLevel.mayUseReserve {
            owners.insert(holder.owner, at: urgentOwnerCount)
            urgentOwnerCount += 1
        } else {
            owners.append(holder.owner)
        }
    }

    /// Removes and returns the next item.
    mutating func takeFirst() -> Item? { owners.first.flatMap { takeItem(at: 0, of: $0) } }

    /// Removes and returns an item.
    /// - Parameters:
    ///   - index: the index among the items of its owner. After the first one, it is the next owner's turn.
    mutating func takeItem(at index: Int, of owner: String) -> Item? {
        guard itemsByOwner[owner]?.indices.contains(index) == true,
            let place = owners.firstIndex(of: owner),
            // In its place: a copy of thousands of items for each one that is taken would be much memory.
            let item = itemsByOwner[owner]?.remove(at: index)
        else { return nil }
        count -= 1
        let isUrgent = place < urgentOwnerCount
        if itemsByOwner[owner]?.isEmpty == true {
            itemsByOwner[owner] = nil
            owners.remove(at: place)
            if isUrgent { urgentOwnerCount -= 1 }
        } else if index == 0 {
            owners.remove(at: place)
            owners.insert(owner, at: isUrgent ? urgentOwnerCount - 1 : owners.count)
        }
        return item
    }
}

extension ResourceQuota.Holder {
    /// The account or the address that takes turns with others, each apart for those who run the evening.
    var owner: String {
        (trustLevel.mayUseReserve ? "staff " : "") + (account.map { "account \($0)" } ?? network)
    }
}
