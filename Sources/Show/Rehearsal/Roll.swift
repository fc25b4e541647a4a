/// What a roll finds its elements by; mostly their id.
public protocol Listed: Sendable {
    associatedtype Key: Hashable, Sendable
    var key: Key { get }
}

extension Listed where Self: Identifiable, Key == ID {
    public var key: ID { id }
}

/// Things in the order in which they came, each found by its key at once.
///
/// The order is the server's, so two rolls of the same events are equal and are written alike.
public struct Roll<Element: Listed>: Sendable {
    /// Nil where something was taken out; closed up when half of the slots are empty.
    private var slots: [Element?] = []
    private var places: [Element.Key: Int] = [:]
    /// Every slot before it is empty.
    private var start = 0

    public init() {}

    /// Takes each key once; of two elements with one key the first stays.
    public init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    public var count: Int { places.count }
    public var isEmpty: Bool { places.isEmpty }

    /// In order.
    /// - Complexity: O(elements).
    public var elements: [Element] { slots.compactMap(\.self) }

    public subscript(key: Element.Key) -> Element? { places[key].flatMap { slots[$0] } }

    public func contains(_ key: Element.Key) -> Bool { places[key] != nil }

    /// - Returns: false where the key is there already; nothing changes then.
    @discardableResult
    mutating func append(_ element: Element) -> Bool {
        guard places[element.key] == nil else { return false }
        places[element.key] = slots.count
        slots.append(element)
        return true
    }

    /// - Returns: false where there is no such key.
    @discardableResult
    mutating func update(_ key: Element.Key, _ change: (inout Element) -> Void) -> Bool {
        guard let place = places[key], var element = slots[place] else { return false }
        // The slot lets go first, so that a long stroke is changed in place.
        slots[place] = nil
        change(&element)
        slots[place] = element
        return true
    }

    @discardableResult
    mutating func remove(_ key: Element.Key) -> Element? {
        guard let place = places.removeValue(forKey: key), let element = slots[place] else { return nil }
        slots[place] = nil
        if slots.count > 16, places.count * 2 < slots.count { closeUp() }
        return element
    }

    /// Takes the oldest out.
    /// - Complexity: O(1) on the whole.
    mutating func removeFirst() -> Element? {
        while start < slots.count {
            if let element = slots[start] { return remove(element.key) }
            start += 1
        }
        return nil
    }

    private mutating func closeUp() {
        let kept = elements
        slots = kept
        start = 0
        places = [:]
        for (place, element) in kept.enumerated() { places[element.key] = place }
    }
}

extension Roll: Equatable where Element: Equatable {
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.count == rhs.count
            && lhs.slots.lazy.compactMap(\.self).elementsEqual(rhs.slots.lazy.compactMap(\.self))
    }
}

extension Roll: Hashable where Element: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

/// Written as a list, in order.
extension Roll: Codable where Element: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Element].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements)
    }
}
