import Concert
import Foundation
import Score

/// A section or rehearsal letter of a piece, as it was entered.
public struct EnteredSection: Hashable, Sendable, Codable {
    public var label: String
    /// The printed number of the measure at which it begins.
    public var printed: Int
    /// The played measure, counted from 0; nil if it was entered by its printed number alone.
    public var played: Int?
    public var source: Source

    /// Where it was entered: in the content of a concert, in a score of the library, or while the piece was prepared.
    public enum Source: String, Sendable, Codable { case content, score, preparation }

    public init(label: String, printed: Int, played: Int? = nil, source: Source) {
        (self.label, self.printed, self.played, self.source) = (label, printed, played, source)
    }
}

/// The sections and rehearsal letters of the pieces, wherever people entered them.
///
/// They come from three files. `DATA/sections/FOLDER.json` has those of the scores in the library and of the contents
/// in the editor, `RECORDINGS/FOLDER/sections.json` those of `/prepare`, and `RECORDINGS/FOLDER/content/data.xml` those
/// of the content that came with the piece, which counts until the editor has the piece. A label that one source has is
/// taken from no other: the content's place counts, then the score's. Nothing but the way of people through a piece
/// depends on them, so what does not fit the measures is left out.
public struct PieceSections: Sendable {
    private let recordings: String
    private let data: String?
    private static let mostBytes = 1 << 20

    /// - Parameters:
    ///   - recordings: the folder of all recordings.
    ///   - data: the server's data folder; nil without a server.
    public init(recordings: String, data: String?) {
        (self.recordings, self.data) = (recordings, data)
    }

    /// The folder of the files with the sections of the library and the editor.
    public static func gatheredFolder(in data: String) -> String { "\(data)/sections" }

    /// The name of the file with a piece's sections from `/prepare`, in the piece's folder of recordings.
    public static let preparedFileName = "sections.json"

    /// The bytes of a file of sections.
    public static func encode(_ sections: [EnteredSection]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        // Encoding strings and numbers cannot fail.
        return Array((try? encoder.encode(sections)) ?? Data("[]".utf8))
    }

    /// The paths of a piece's files, for whoever watches whether one has changed.
    public func paths(of folder: String) -> [String] {
        jsonFiles(of: folder).map(\.path) + ["\(recordings)/\(folder)/content/data.xml"]
    }

    /// Reads the beginnings of a piece's sections. Two may begin at the same measure: a letter, and a section.
    /// - Parameter reportProblem: is called with a sentence for each file that exists but cannot be used.
    /// - Returns: the label of each section and the played measure at which it starts, counted from 0, in ascending
    ///   order.
    public func starts(
        of folder: String, measures: MeasureMap, reportProblem: (String) -> Void = { _ in }
    ) -> [(label: String, start: Int)] {
        var entered: [EnteredSection] = []
        for file in jsonFiles(of: folder) {
            guard let bytes = read(file.path, as: file.name, reportProblem) else { continue }
            do { entered += try JSONDecoder().decode([EnteredSection].self, from: Data(bytes)) } catch {
                reportProblem("\(file.name) is no list of sections; enter them again, or remove the file.")
            }
        }
        if !entered.contains(where: { $0.source == .content }) {
            entered += contentSections(of: folder, reportProblem)
        }
        var sources: [String: EnteredSection.Source] = [:]
        for source in [EnteredSection.Source.content, .score, .preparation] {
            for section in entered where section.source == source {
                sources[section.label.lowercased()] = sources[section.label.lowercased()] ?? source
            }
        }
        let found = entered.compactMap { section -> (label: String, start: Int)? in
            let fits = section.played.map { $0 >= 0 && $0 < measures.marks.count } ?? false
            guard let start = fits ? section.played : measures.firstPlayedIndex(printed: section.printed),
                !section.label.isEmpty, sources[section.label.lowercased()] == section.source
            else { return nil }
            return (section.label, start)
        }
        return found.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }

    private func jsonFiles(of folder: String) -> [(path: String, name: String)] {
        let gathered = data.map {
            ("\(Self.gatheredFolder(in: $0))/\(folder).json", "sections/\(folder).json")
        }
        let prepared = "\(folder)/\(Self.preparedFileName)"
        return (gathered.map { [$0] } ?? []) + [("\(recordings)/\(prepared)", prepared)]
    }

    private func contentSections(of folder: String, _ reportProblem: (String) -> Void) -> [EnteredSection] {
        // The sentences are read on pages, which name no folder of the machine.
        let name = "\(folder)/content/data.xml"
        guard let bytes = read("\(recordings)/\(name)", as: name, reportProblem) else { return [] }
        do throws(ContentFileError) {
            let structure = try ContentXMLReader.readPieces(in: bytes, path: name).pieces.first?.structure
            return (structure?.sections ?? []).map {
                EnteredSection(
                    label: $0.label, printed: $0.place.printed, played: $0.place.played, source: .content)
            }
        } catch {
            reportProblem(error.sentence)
            return []
        }
    }

    /// The bytes of a file; nil if it is not there or cannot be used.
    private func read(_ path: String, as name: String, _ reportProblem: (String) -> Void) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        // Reads one byte more than the limit, so that a longer file is reported instead of cut off.
        guard let handle = FileHandle(forReadingAtPath: path),
            let bytes = try? Array(handle.read(upToCount: Self.mostBytes + 1) ?? Data())
        else {
            reportProblem("\(name) cannot be read; check its rights, and that it is a file.")
            return nil
        }
        guard bytes.count <= Self.mostBytes else {
            reportProblem(
                "\(name) has more than \(Self.mostBytes >> 20) MB; it should hold the content of one piece.")
            return nil
        }
        return bytes
    }
}
