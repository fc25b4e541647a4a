import Foundation

extension Double {
    /// A fixed number of decimals, the same on every machine; 0 for what is no number.
    package func digits(_ decimals: Int) -> String { String(format: "%.\(decimals)f", isFinite ? self : 0) }
}

extension Duration {
    package var seconds: Double { self / .seconds(1) }
    package var milliseconds: Double { self / .milliseconds(1) }
}
