import Basics
import Features
import Foundation
import Platform
import Score

/// The content of `model.json`: everything about a model except its frames.
struct ModelDescription: Codable, Equatable {
    static let format = "baton-model"
    static let version = 1
    static let byteLimit = 32 << 20

    struct Reference: Codable, Equatable {
        var about: StoredReference
        /// The digest that ends the file of frames.
        var framesDigest: Digest
        /// The reference's copies in rooms; nil in a model that was made without them.
        var rooms: [Room]?
    }

    /// One copy of a reference in a room.
    struct Room: Codable, Equatable {
        var shape: RoomShape
        /// The digest that ends the copy's file of frames.
        var framesDigest: Digest
    }

    /// The fields that identify a model file's format and version. They are read first.
    struct FormatHeader: Codable {
        var format: String
        var version: Int
    }

    var format = Self.format
    var version = Self.version
    var name: PieceName
    var dimensions: Int
    var framesPerSecond: Int
    /// The digest of the ``FeatureParameters`` that the frames were computed with.
    var featuresDigest: Digest
    var timeline: MeasureMap
    /// Nil if unknown, and in models of older versions.
    var beatsPerBar: Int?
    var references: [Reference]

    var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(self)) + Array("\n".utf8)
        }
    }

    /// Decodes and checks a model's description.
    /// - Parameter path: the file's name in errors.
    static func read(_ bytes: [UInt8], path: String) throws(ReferenceStoreError) -> ModelDescription {
        let content = Data(bytes)
        do {
            let kind = try JSONDecoder().decode(FormatHeader.self, from: content)
            guard kind.format == format else {
                throw ReferenceStoreError.notAModel(path: path, reason: "its format is not \(format)")
            }
            guard kind.version == version else {
                throw ReferenceStoreError.otherFormatVersion(path: path, found: kind.version, known: version)
            }
            let description = try JSONDecoder().decode(ModelDescription.self, from: content)
            if let fault = description.fault {
                throw ReferenceStoreError.notAModel(path: path, reason: fault)
            }
            return description
        } catch let error as ReferenceStoreError {
            throw error
        } catch let fault as MeasureMapFault {
            throw .notAModel(path: path, reason: "its measures make no map (\(fault.sentence))")
        } catch let fault as ExplainedError {
            throw .notAModel(path: path, reason: "its name names no piece (\(fault.sentence))")
        } catch {
            throw .notAModel(path: path, reason: Self.describeDecodingError(error))
        }
    }

    /// The reason why a description is invalid although each value has the right type; nil if the description is valid.
    private var fault: String? {
        guard ReferenceFramesFile.dimensionsRange.contains(dimensions),
            ReferenceFramesFile.framesPerSecondRange.contains(framesPerSecond)
        else { return "its frames are of no known kind" }
        guard beatsPerBar.map({ (1...64).contains($0) }) ?? true else { return "its bars have no such beats" }
        guard (1...ModelFolder.mostReferences).contains(references.count) else {
            return "it has \(references.count) references"
        }
        guard Set(references.map(\.about.name)).count == references.count,
            references.allSatisfy({ ModelFolder.isValidName($0.about.name) })
        else { return "the names of its references are not letters, digits and dashes, each different" }
        let printed = timeline.marks.map(\.printed)
        guard printed.allSatisfy((0...999_999).contains) else { return "a measure's number is out of range" }
        for reference in references {
            let about = reference.about
            guard about.measures.marks.map(\.printed) == printed else {
                return "the measures of “\(about.name)” are not those of the timeline"
            }
            guard about.durationSeconds > 0, about.durationSeconds < 1e6, abs(about.tuningCents) <= 100,
                (1...1e6).contains(about.sampleRateHertz)
            else { return "the numbers about “\(about.name)” are out of range" }
            let rooms = reference.rooms ?? []
            guard rooms.count <= ModelFolder.mostRooms else {
                return "“\(about.name)” has \(rooms.count) rooms"
            }
        }
        return nil
    }

    private static func describeDecodingError(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it cannot be understood" }
        func place(_ path: [any CodingKey]) -> String {
            path.isEmpty ? "the whole" : path.map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(place(context.codingPath)) is not of the right kind"
        case .dataCorrupted(let context) where context.codingPath.isEmpty: return "it is not JSON"
        case .dataCorrupted(let context): return "\(place(context.codingPath)) makes no sense"
        @unknown default: return "it cannot be understood"
        }
    }
}

extension StoredReference {
    /// The name of a file of this reference's frames. It contains the digest, so that a new file never replaces a file
    /// in use.
    func framesFile(_ digest: Digest) -> String { "\(name)-\(digest.description.prefix(8)).frames" }
}

extension FeatureParameters {
    /// A digest of the parameters, to tell models apart that were made with different parameters.
    var digest: Digest {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // All values are finite numbers, so encoding cannot fail.
        return Digest(of: Array((try? encoder.encode(self)) ?? Data()))
    }
}
