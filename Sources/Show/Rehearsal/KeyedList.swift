/// An element that a ``KeyedList`` finds by its key, which is usually its id.
public protocol KeyedElement: Sendable {
    associatedtype Key: Hashable, Sendable
    var key: Key { get }
}

extension KeyedElement where Self: Identifiable, Key == ID {
    public var key: ID { id }
}

/// A list in order of insertion that finds each element by its key in constant time.
///
/// All lists have the order of the server, so that two lists made from the same events are equal and are encoded
/// alike.
public struct KeyedList<Element: KeyedElement>: Sendable {
    /// The elements and the gaps of removed ones, which are nil; the list is compacted when more than half of the slots
    /// are empty.
    private var slots: [Element?] = []
    private var slotIndices: [Element.Key: Int] = [:]
    /// The index before which all slots are empty.
    private var firstUsedSlot = 0

    public init() {}

    /// Creates a list; of two elements with the same key, the first one stays.
    public init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    public var count: Int { slotIndices.count }
    public var isEmpty: Bool { slotIndices.isEmpty }

    /// The elements in order.
    /// - Complexity: O(elements).
    public var elements: [Element] { slots.compactMap(\.self) }

    public subscript(key: Element.Key) -> Element? { slotIndices[key].flatMap { slots[$0] } }

    public func contains(_ key: Element.Key) -> Bool { slotIndices[key] != nil }

    /// Appends an element.
    /// - Returns: false, without any change, if the key is already there.
    @discardableResult
    mutating func append(_ element: Element) -> Bool {
        guard slotIndices[element.key] == nil else { return false }
        slotIndices[element.key] = slots.count
        slots.append(element)
        return true
    }

    /// Changes the element with a key in place.
    /// - Returns: false if the key does not exist.
    @discardableResult
    mutating func update(_ key: Element.Key, _ change: (inout Element) -> Void) -> Bool {
        guard let place = slotIndices[key], var element = slots[place] else { return false }
        // Empties the slot first, so that the change does not copy a long stroke.
        slots[place] = nil
        change(&element)
        slots[place] = element
        return true
    }

    @discardableResult
    mutating func remove(_ key: Element.Key) -> Element? {
        guard let place = slotIndices.removeValue(forKey: key), let element = slots[place] else { return nil }
        slots[place] = nil
        if slots.count > 16, slotIndices.count * 2 < slots.count { compactSlots() }
        return element
    }

    /// Removes the oldest element.
    /// - Complexity: O(1) amortised.
    mutating func removeFirst() -> Element? {
        while firstUsedSlot < slots.count {
            if let element = slots[firstUsedSlot] { return remove(element.key) }
            firstUsedSlot += 1
        }
        return nil
    }

    private mutating func compactSlots() {
        let kept = elements
        slots = kept
        firstUsedSlot = 0
        slotIndices = [:]
        for (place, element) in kept.enumerated() { slotIndices[element.key] = place }
    }
}

extension KeyedList: Equatable where Element: Equatable {
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.count == rhs.count
            && lhs.slots.lazy.compactMap(\.self).elementsEqual(rhs.slots.lazy.compactMap(\.self))
    }
}

extension KeyedList: Hashable where Element: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

/// A keyed list is encoded as a JSON array of its elements, in order.
extension KeyedList: Codable where Element: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Element].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements)
    }
}
