/// At most three elements in order. The size is fixed, so that copying never allocates.
@frozen
public struct UpToThree<Element: Sendable & Hashable & BitwiseCopyable>: Sendable, Hashable, BitwiseCopyable,
    RandomAccessCollection
{
    /// The largest number of elements.
    @inlinable public static var capacity: Int { 3 }
    @usableFromInline var first: Element?
    @usableFromInline var second: Element?
    @usableFromInline var third: Element?
    @usableFromInline var elementCount = 0

    /// Creates an empty collection.
    @inlinable public init() {}

    @inlinable public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int { elementCount }

    @inlinable public subscript(index: Int) -> Element {
        guard index < elementCount, let element = index == 0 ? first : index == 1 ? second : third else {
            preconditionFailure("element \(index) of \(elementCount)")
        }
        return element
    }

    /// Appends an element; a fourth one is ignored.
    @inlinable public mutating func append(_ element: Element) {
        switch elementCount {
        case 0: first = element
        case 1: second = element
        case 2: third = element
        default: return
        }
        elementCount += 1
    }
}
