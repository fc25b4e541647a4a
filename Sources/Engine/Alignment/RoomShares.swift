/// How much each room has explained of a performance: the shares of the recordings as they are, and of their copies in
/// rooms, in the weights of the references. They sum to one.
public struct RoomShares: Hashable, Sendable {
    /// The largest number of a room; 0 stands for recordings as they are.
    public static let lastRoomNumber = 3

    private var shares: SIMD4<Float>

    init(nothing: ()) { shares = .zero }

    /// - Parameter shares: for recordings as they are, and for the rooms 1 to ``lastRoomNumber``.
    public init(_ recorded: Float, _ first: Float, _ second: Float, _ third: Float) {
        shares = SIMD4(recorded, first, second, third)
    }

    public internal(set) subscript(roomNumber: Int) -> Float {
        get { shares[roomNumber] }
        set { shares[roomNumber] = newValue }
    }
}
