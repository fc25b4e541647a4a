/// The shares of the rooms in the weights of the references, each 0…1: one for all recordings as they are, and one for
/// all copies in each room. They sum to one.
public struct RoomShares: Hashable, Sendable {
    /// The largest number of a room; 0 stands for recordings as they are.
    public static let lastRoomNumber = 3

    private var shares: SIMD4<Float>

    /// No share for any room, to begin a sum.
    static let zero = RoomShares(0, 0, 0, 0)

    /// - Parameter shares: for recordings as they are, and for the rooms 1 to ``lastRoomNumber``.
    public init(_ recorded: Float, _ first: Float, _ second: Float, _ third: Float) {
        shares = SIMD4(recorded, first, second, third)
    }

    public internal(set) subscript(roomNumber: Int) -> Float {
        get { shares[roomNumber] }
        set { shares[roomNumber] = newValue }
    }
}
