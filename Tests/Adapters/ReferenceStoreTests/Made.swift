import Alignment
import Basics
import Features
import Following
import Foundation
import Platform
import Score

@testable import ReferenceStore

/// Small things to store.
enum Made {
    /// Few bands, so that tests are quick: four values a frame.
    static let features: FeatureParameters = {
        var features = FeatureParameters()
        features.pitchCount = 2
        return features
    }()

    static func frames(_ count: Int, dimensions: Int = 4, seed: UInt64 = 1) -> PackedFrames {
        var random = SeededRandomGenerator(seed: seed)
        return ReferenceFeatureFrames(
            featureValues: (0..<count * dimensions).map { _ in Float.random(in: 0...1, using: &random) },
            dimensions: dimensions,
            powerByFrame: (0..<count).map { _ in Float.random(in: 0...0.5, using: &random) }
        ).packed
    }

    /// A file of frames as the first version of the program wrote it.
    static func firstVersionFile(_ packed: PackedFrames) -> [UInt8] {
        let frames = packed.unpacked
        func little(_ number: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
        }
        var bytes: [UInt8] = Array("BATONREF".utf8)
        bytes += [1, 0, UInt8(frames.dimensions), 0, 50, 0, 0, 0]
        bytes += little(UInt32(frames.frameCount))
        for power in frames.powerByFrame { bytes += little(power.bitPattern) }
        for value in frames.featureValues { bytes.append(UInt8((value.squareRoot() * 255).rounded())) }
        return bytes + Digest(of: bytes).bytes
    }

    static func measures(scale: Double = 1) throws -> MeasureMap {
        let printed = [0, 1, 2, 1, 2, 3]
        return try MeasureMap(
            marks: printed.enumerated().map { row, printed in
                PlayedMeasure(
                    printed: printed, onset: ReferenceTime(seconds: (0.1 + 0.3 * Double(row)) * scale))
            }, end: ReferenceTime(seconds: 1.95 * scale))
    }

    /// A hundred frames, two seconds; the second reference was slower.
    static func model(names: [String] = ["first", "second"], seed: UInt64 = 1) throws -> StoredModel {
        let measures = try measures()
        let references = try names.enumerated().map { index, name in
            StoredReference(
                name: name,
                source: ModelSourceFile(file: "\(name).flac", digest: Digest(of: Array(name.utf8))),
                measureFile: index == 0 ? ModelSourceFile(file: "\(name).csv", digest: Digest(of: [])) : nil,
                measureOrigin: index == 0 ? .given : .transferred,
                durationSeconds: 2 + Double(index), sampleRateHertz: 22_050,
                channel: index == 0 ? .meanOfAllChannels : .singleChannel(2), tuningCents: -3.25,
                measures: index == 0 ? measures : try self.measures(scale: 1.5),
                doubtful: index == 0
                    ? []
                    : [
                        DoubtfulMeasureTime(played: 4, printed: 1, seconds: 1.5, reasons: ["held", "noisy"]),
                        DoubtfulMeasureTime(played: 7, printed: nil, seconds: 2.9, reasons: ["quiet"]),
                    ])
        }
        return StoredModel(
            model: ReferenceModel(
                pieceName: try PieceName("Made, Piece: Movement “ä” \\ / \"x\""), measures: measures,
                framesPerSecond: features.framesPerSecond,
                framesByRecording: names.indices.map { frames(100, seed: seed + UInt64($0)) }),
            referenceDetails: references)
    }
}

/// A folder of its own for a test, gone with it.
final class TemporaryModels {
    let folder: ModelFolder

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "baton-models-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = ModelFolder(path: url.path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    func files(of piece: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(piece)").sorted()
    }

    func bytes(_ name: String, of piece: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: folder.filePath(name, of: piece))))
    }

    func write(_ bytes: [UInt8], _ name: String, of piece: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.filePath(name, of: piece)))
    }
}
