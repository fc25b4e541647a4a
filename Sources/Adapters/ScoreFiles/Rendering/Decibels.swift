import Foundation

/// Converts decibels to amplitude factors.
enum Decibels {
    /// The factor by which a change of level multiplies an amplitude: 20 dB are a factor of ten.
    static func amplitudeFactor(_ decibels: Double) -> Double { pow(10, decibels / 20) }
}
