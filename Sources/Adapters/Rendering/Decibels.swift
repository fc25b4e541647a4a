import Foundation

/// Levels as people say them.
enum Decibels {
    /// What a level change multiplies an amplitude by: 20 dB are a factor of ten.
    static func factor(_ decibels: Double) -> Double { pow(10, decibels / 20) }
}
