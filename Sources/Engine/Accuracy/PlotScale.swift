/// Maps the values of one axis to drawing units.
struct PlotScale {
    var values: ClosedRange<Double>
    var units: (Double, Double)
    var warp: Warp = .linear

    enum Warp {
        case linear
        /// Logarithmic on both sides of zero, and linear within 0.1 of it.
        case symmetric
        case logarithmic

        func apply(_ value: Double) -> Double {
            switch self {
            case .linear: value
            case .symmetric: (value < 0 ? -1 : 1) * PlotScale.log2(1 + value.magnitude / 0.1)
            case .logarithmic: PlotScale.log2(max(value, 1e-9))
            }
        }
    }

    func callAsFunction(_ value: Double) -> Double {
        let bounded = min(max(value, values.lowerBound), values.upperBound)
        let low = warp.apply(values.lowerBound)
        let high = warp.apply(values.upperBound)
        return units.0 + (warp.apply(bounded) - low) / (high - low) * (units.1 - units.0)
    }

    /// Tick values in steps of 1, 2 or 5 times a power of ten that divide the range into at most `count` parts.
    func ticks(atMost count: Int, whole: Bool = false) -> [Double] {
        let span = values.upperBound - values.lowerBound
        guard span > 0, count > 0 else { return [values.lowerBound] }
        var step = whole ? 1.0 : 0.001
        for factor in [2, 2.5, 2].cycled(times: 30) where span / step > Double(count) { step *= factor }
        let first = (values.lowerBound / step).rounded(.up)
        let last = (values.upperBound / step).rounded(.down)
        guard last >= first else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step }
    }

    /// Binary logarithm of a positive finite value, to within 1e-9, without a mathematics library.
    static func log2(_ value: Double) -> Double {
        // ln(m) = 2 atanh((m - 1) / (m + 1)) converges fast for m in 1..<2.
        let ratio = (value.significand - 1) / (value.significand + 1)
        var power = ratio
        var sum = 0.0
        for term in 0..<18 {
            sum += power / Double(2 * term + 1)
            power *= ratio * ratio
        }
        return Double(value.exponent) + 2 * sum / 0.6931471805599453
    }
}

extension Array {
    fileprivate func cycled(times: Int) -> [Element] { (0..<times).flatMap { _ in self } }
}
