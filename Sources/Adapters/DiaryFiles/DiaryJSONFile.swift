import Diary
import Foundation

/// The diary as one JSON file: an object with a list for each kind of record. Each record stands on a line of its own,
/// its keys in order, so that equal diaries give equal bytes and a difference of two exports is readable.
public enum DiaryJSONFile {
    static let formatName = "baton-diary"
    static let version = 1

    /// Writes records, which must come kind by kind in the order of ``DiaryRecord/Kind``.
    public struct Writer {
        private var kind: DiaryRecord.Kind?
        private let sink: DiaryFileSink

        public init(_ sink: DiaryFileSink) throws {
            self.sink = sink
            try sink.write("{\"format\":\"\(DiaryJSONFile.formatName)\",\"version\":\(DiaryJSONFile.version)")
        }

        /// Writes a record.
        /// - Parameter document: the record as JSON with its keys in order.
        public mutating func write(_ kind: DiaryRecord.Kind, _ document: Data) throws {
            if kind != self.kind {
                try sink.write((self.kind == nil ? "" : "\n]") + ",\n\"\(kind.rawValue)\":[\n")
                self.kind = kind
            } else {
                try sink.write(",\n")
            }
            try sink.write(document)
        }

        public mutating func finish() throws { try sink.write(kind == nil ? "}\n" : "\n]}\n") }
    }

    /// Reads a file and passes on its records in their order.
    public static func read(_ path: String, _ receive: (DiaryRecord) throws -> Void) throws {
        try MappedFile.withBytes(of: path) { bytes in
            var elements = JSONElements(bytes, file: path)
            var isDiary = false
            let decoder = JSONDecoder()
            try elements.forEach { key, index, range in
                guard let index else {
                    let value = String(decoding: bytes[range], as: UTF8.self)
                    isDiary = isDiary || (key == "format" && value == "\"\(formatName)\"")
                    guard key != "version" || value == "\(version)" else {
                        throw DiaryFileFault.wrongFormat(file: path, what: "was written by a newer version")
                    }
                    return
                }
                guard isDiary else {
                    throw DiaryFileFault.wrongFormat(file: path, what: "is no export of the diary")
                }
                guard let kind = DiaryRecord.Kind(rawValue: key) else {
                    throw DiaryFileFault.badRecord(
                        file: path, place: "“\(key.prefix(40))”", what: "this kind of record is unknown")
                }
                do {
                    try receive(try DiaryRecord(kind, Data(bytes[range]), decoder))
                } catch let error as DecodingError {
                    throw DiaryFileFault.badRecord(
                        file: path, place: "\(key) \(index + 1)", what: error.plainSentence)
                }
            }
            guard isDiary else {
                throw DiaryFileFault.wrongFormat(file: path, what: "is no export of the diary")
            }
        }
    }
}

extension DiaryRecord {
    init(_ kind: Kind, _ document: Data, _ decoder: JSONDecoder) throws {
        self =
            switch kind {
            case .ensembles: .ensemble(try decoder.decode(Ensemble.self, from: document))
            case .works: .work(try decoder.decode(MusicalWork.self, from: document))
            case .countries: .country(try decoder.decode(Country.self, from: document))
            case .cities: .city(try decoder.decode(City.self, from: document))
            case .venues: .venue(try decoder.decode(Venue.self, from: document))
            case .events: .event(try decoder.decode(DiaryEvent.self, from: document))
            case .programmes: .programme(try decoder.decode(ConcertProgramme.self, from: document))
            }
    }
}

extension DecodingError {
    /// A sentence that says what is wrong and in which field.
    var plainSentence: String {
        func path(_ context: Context) -> String {
            let keys = context.codingPath.map { $0.intValue.map { "[\($0 + 1)]" } ?? $0.stringValue }
            return keys.isEmpty ? "the record" : keys.joined(separator: " ")
        }
        return switch self {
        case .keyNotFound(let key, let context): "\(path(context)) has no “\(key.stringValue)”"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(path(context)) is of a wrong kind"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is no sound JSON" : "\(path(context)): \(context.debugDescription)"
        @unknown default: "it cannot be read"
        }
    }
}
