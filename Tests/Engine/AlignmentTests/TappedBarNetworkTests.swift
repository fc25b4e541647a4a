import Testing

@testable import Alignment

@Suite struct TappedBarNetworkTests {
    private static func features(_ change: (inout [Float]) -> Void) -> TappedBarFeatures {
        var values = [Float](repeating: 0, count: 200 * TappedBarScale.count)
        change(&values)
        return TappedBarFeatures(standardised: values, frameCount: 200)
    }

    @Test func base64IsRead() {
        #expect(TappedBarNetwork.bytes(ofBase64: "TWFu") == Array("Man".utf8))
        #expect(TappedBarNetwork.bytes(ofBase64: "//8A\n+w==") == [255, 255, 0, 251])
        #expect(TappedBarNetwork.bytes(ofBase64: "") == [])
    }

    @Test func aFrameReachesAsFarAsTheNetworkSeesAndNoFurther() {
        let plain = TappedBarNetwork.fitted.values(Self.features { _ in })
        let struck = TappedBarNetwork.fitted.values(
            Self.features { values in
                for index in 0..<TappedBarScale.count { values[100 * TappedBarScale.count + index] = 3 }
            })
        let changed = Set(plain.indices.filter { plain[$0] != struck[$0] })
        #expect(changed == Set(TappedBarNetwork.frameOffsets.map { 100 - $0 }))
    }

    /// Three units: the first sees the first figure of the judged frame, the second sees it negated, the third nothing.
    @Test func theSumIsThatOfItsUnitsAndOfTheDirectWeights() {
        let count = TappedBarNetwork.inputCount
        let judged = 5 * TappedBarScale.count
        var bytes = [UInt8](repeating: 0, count: 4 * count)
        bytes[judged] = 127
        bytes[count + judged] = UInt8(bitPattern: -127)
        bytes[3 * count + judged] = 127
        let network = TappedBarNetwork(
            packed: Self.base64(bytes), scales: [2, 2, 1, 0.5], biases: [0, 1, 3], outs: [10, 100, 1000])
        let values = network.values(Self.features { $0[50 * TappedBarScale.count] = 4 })
        // 10 · 2·4, nothing of the negative unit, 1000 · 3, 0.5 · 4.
        #expect(values[50] == 3082)
        #expect(values[0] == 3100)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let three = (0..<3).map { start + $0 < bytes.count ? Int(bytes[start + $0]) : 0 }
            let word = three[0] << 16 | three[1] << 8 | three[2]
            text += String([18, 12, 6, 0].map { digits[word >> $0 & 63] })
        }
        return text
    }
}
