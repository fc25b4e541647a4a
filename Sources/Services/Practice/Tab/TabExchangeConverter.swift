import TabFiles
import Tablature

/// Converts the page's files by ``TabExchange``.
package struct TabExchangeConverter: TabConverting {
    package init() {}

    package func convert(
        _ bytes: [UInt8], fileName: String, to ending: String
    ) async throws(TabConversionError) -> ConvertedTab {
        do throws(TabFileError) {
            let exchange = TabExchange()
            let wanted = try TabFormat(fileName: "tab." + ending)
            let reading = try await exchange.read(
                bytes, as: try TabFormat(fileName: fileName), name: fileName)
            let written = try exchange.write(reading.tab, as: wanted)
            return ConvertedTab(
                bytes: written.bytes,
                contentType: wanted == .json ? "application/json" : "application/octet-stream",
                remarks: reading.remarks + written.remarks)
        } catch { throw TabConversionError(error.sentence) }
    }
}
