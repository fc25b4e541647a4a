import Basics
import Foundation

/// A student who plays.
enum PracticeStage {
    static let rate = SampleRate(hertz: 11_025)
    static let seconds = 12

    /// Half-second tones as a microphone of 16 bits gives them.
    static func playing(to end: Double) -> [Float] {
        melody().prefix(Int(end * rate.hertz)).map { ($0 * 32_767).rounded() / 32_768 }
    }

    private static func melody() -> [Float] {
        (0..<Int(Double(seconds) * rate.hertz)).map { index in
            let tone = 2 * index / Int(rate.hertz)
            let hertz = 220 * pow(2, Double((tone * 11 + 3) % 24) / 12)
            let time = Double(index) / rate.hertz
            let age = time.truncatingRemainder(dividingBy: 0.5)
            return Float(
                (sin(2 * .pi * hertz * time) + 0.5 * sin(4 * .pi * hertz * time)) * 0.3 * exp(-3 * age))
        }
    }
}
