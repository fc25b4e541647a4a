/// The slope of the newest positions: reference frames a live frame, by least squares.
///
/// Belongs to one thread; no allocation after `init`.
final class OnlineTimeWarpingTempo {
    /// Live frames the slope is taken over: three seconds.
    private static let span = 150
    /// Fewer say nothing.
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

    /// Between a quarter and four; 1 while there is too little to go by.
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

    /// Live frames that ``recentAdvance`` is taken over: half a second.
    static let recentFrames = 25.0

    /// Reference frames that went by during the last half second.
    var recentAdvance: Double {
        let length = min(count, Int(Self.recentFrames) + 1)
        return length > 0 ? positions[(count - 1) % Self.span] - positions[(count - length) % Self.span] : 0
    }
}
