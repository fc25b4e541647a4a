import Alignment
import ArgumentParser
import Foundation
import Hosting
import Preparation
import ReferenceStore

/// `baton bar-figures` writes what the network of `prepare --taps` sees. `Research/fit-tapped-bars` fits it with that.
struct BarFiguresCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bar-figures",
        abstract: "Writes the figures from which bars between taps are found, for fitting.",
        discussion: """
            Writes a file of 32-bit numbers, little-endian: for each frame of the model's first reference (50 a \
            second) its standardised figures, then the result of the network in use. Prints as JSON how many figures \
            a frame has, and at which frames the network sees them.
            """, shouldDisplay: false)

    @Argument(help: "The piece's folder under Models/.")
    var piece: String

    @Option(help: ArgumentHelp("The folder of models.", valueName: "folder"), completion: .directory)
    var models = "Models"

    @Option(help: ArgumentHelp("The file that is written.", valueName: "file"))
    var out: String

    private struct Shape: Encodable {
        var figures: Int
        var frameOffsets: [Int]
    }

    func run() async throws {
        try await printingErrors(as: "bar-figures") {
            let stored = try ModelFolder(path: models).loadModel(piece)
            let figures = TappedBarFigures(stored.model.framesByRecording[0].unpacked)
            let count = TappedBarFigures.count
            var data = Data(capacity: figures.networkValues.count * (count + 1) * MemoryLayout<Float>.size)
            func append(_ value: Float) {
                withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) }
            }
            for (frame, value) in figures.networkValues.enumerated() {
                for figure in figures.values[frame * count..<(frame + 1) * count] { append(figure) }
                append(value)
            }
            do { try data.write(to: URL(fileURLWithPath: out)) } catch {
                throw PreparationError("“\(out)” cannot be written: \(error.localizedDescription)")
            }
            let shape = Shape(figures: count, frameOffsets: TappedBarFigures.frameOffsets)
            print(String(decoding: try JSONEncoder().encode(shape), as: UTF8.self))
        }
    }
}
