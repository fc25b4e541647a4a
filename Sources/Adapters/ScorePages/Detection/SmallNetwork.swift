import Foundation

/// A network with one hidden layer that gives the logarithm of odds.
struct SmallNetwork {
    struct Unit {
        var weights: [Double]
        var bias: Double
        var out: Double
    }

    var hidden: [Unit]
    var bias: Double

    func odds(of features: [Double]) -> Double {
        hidden.reduce(bias) { sum, unit in
            sum + unit.out * tanh(zip(unit.weights, features).reduce(unit.bias) { $0 + $1.0 * $1.1 })
        }
    }

    static func odds(ofProbability probability: Double) -> Double {
        let bounded = min(max(probability, 1e-6), 1 - 1e-6)
        return log(bounded / (1 - bounded))
    }

    static func probability(_ odds: Double) -> Double { 1 / (1 + exp(-odds)) }
}
