import Foundation

extension Double {
    /// Formats the number with a fixed count of decimals, the same in every locale; infinity and NaN are written as 0.
    package func decimalText(_ decimals: Int) -> String {
        String(format: "%.\(decimals)f", isFinite ? self : 0)
    }
}

extension Duration {
    package var seconds: Double { self / .seconds(1) }
    package var milliseconds: Double { self / .milliseconds(1) }
}
