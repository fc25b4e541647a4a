/// Estimates the tempo as the slope of the newest positions: reference frames per live frame, by least squares.
///
/// Belongs to one thread; no allocation after `init`.
final class OnlineTimeWarpingTempo {
    /// The number of live frames over which the slope is computed: three seconds.
    private static let span = 150
    /// The least number of live frames from which a tempo is estimated.
    private static let least = 25

    private let positions: UnsafeMutablePointer<Double>
    private var count = 0

    init() {
        positions = .allocate(capacity: Self.span)
        positions.initialize(repeating: 0, count: Self.span)
    }

    deinit { positions.deallocate() }

    func begin() { count = 0 }

    func note(_ frame: Double) {
        positions[count % Self.span] = frame
        count += 1
    }

    /// Reference frames per live frame, limited to 0.25…4; 1 while there are too few positions.
    var ratio: Double {
        let length = min(count, Self.span)
        guard length >= Self.least else { return 1 }
        let middle = Double(length - 1) / 2
        var product = 0.0
        var square = 0.0
        for age in 0..<length {
            let distance = middle - Double(age)
            product += distance * positions[(count - 1 - age) % Self.span]
            square += distance * distance
        }
        return min(max(product / square, 0.25), 4)
    }

    /// Number of live frames covered by ``recentAdvance``: half a second.
    static let recentFrames = 25.0

    /// The number of reference frames by which the position advanced during the last half second.
    var recentAdvance: Double {
        let length = min(count, Int(Self.recentFrames) + 1)
        return length > 0 ? positions[(count - 1) % Self.span] - positions[(count - length) % Self.span] : 0
    }
}
