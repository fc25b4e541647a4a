import TabFiles
import Tablature

/// Converts the page's files by ``TabExchange``.
package struct TabExchangeConverter: TabConverting {
    package init() {}

    package func convert(
        _ bytes: [UInt8], fileName: String, to ending: String
    ) async throws -> ConvertedTab {
        let exchange = TabExchange()
        let wanted = try TabFormat(fileName: "tab." + ending)
        let format = try TabFormat(fileName: fileName)
        var reading = try await exchange.read(bytes, as: format, name: fileName)
        if wanted == .json, format != .json { Self.writeOutSimiles(&reading) }
        let written = try exchange.write(reading.tab, as: wanted)
        return ConvertedTab(
            bytes: written.bytes,
            contentType: wanted == .json ? "application/json" : "application/octet-stream",
            remarks: reading.remarks + written.remarks)
    }

    /// The page draws and plays notes, and knows no simile marks.
    private static func writeOutSimiles(_ reading: inout TabReading) {
        var tab = reading.tab
        let count = tab.writeOutSimiles()
        guard count > 0, (try? TabCheck.check(tab)) != nil else { return }
        reading.tab = tab
        reading.remarks.append("Bars that repeat others by a simile mark are written out: \(count).")
    }
}
