import Following
import Foundation
import MusicalTime
import ReferenceStore
import Score
import SoundFiles

/// Finds the reference model of a piece: a prepared one, or one made from the piece's recordings at once.
struct LiveModels {
    var models: String
    var recordings: String
    /// Which performance becomes the reference where none is prepared; the first by name where nil.
    var reference: String?

    private struct PieceFile: Decodable {
        var name: String
    }

    func programme(_ wanted: LiveProgramme) throws(LiveFailure) -> Programme {
        var found: [ReferenceModel] = []
        for folder in wanted.folders { found.append(try model(folder)) }
        let title = wanted.title ?? Self.title(of: found.map { $0.name.text })
        return Programme(title: title, models: found)
    }

    /// What a programme without a title is called.
    /// - Parameter names: of its pieces, at least one.
    static func title(of names: [String]) -> String {
        names.count == 1 ? names[0] : "\(names[0]), and \(names.count - 1) more"
    }

    /// The recording of a performance of a piece.
    func recording(of folder: String, performance: String) throws(LiveFailure) -> String {
        try self.performance(performance, of: folder).audio.path
    }

    private func model(_ folder: String) throws(LiveFailure) -> ReferenceModel {
        var model = try plainModel(folder)
        // After a stop the music goes on at a section's beginning more often than elsewhere.
        model.sections = contentSections(of: folder, recordings: recordings, measures: model.measures).map(
            \.start)
        return model
    }

    private func plainModel(_ folder: String) throws(LiveFailure) -> ReferenceModel {
        let prepared = ModelFolder(path: models)
        guard prepared.contains(folder) else { return try hearModel(folder) }
        do { return try prepared.load(folder).model } catch { throw LiveFailure(sentence: error.sentence) }
    }

    private func hearModel(_ folder: String) throws(LiveFailure) -> ReferenceModel {
        let place = URL(fileURLWithPath: recordings).appending(path: folder)
        guard let bytes = try? Data(contentsOf: place.appending(path: "piece.json")),
            let file = try? JSONDecoder().decode(PieceFile.self, from: bytes)
        else {
            throw LiveFailure(
                sentence: "There is no piece “\(folder)”, neither in “\(models)” nor in “\(recordings)”; "
                    + "make it with `baton prepare`.")
        }
        let chosen = try performance(reference, of: folder)
        do {
            let name = try PieceName(file.name)
            let heard = try hearReference(chosen.audio.path)
            return ReferenceModel(
                name: name, measures: chosen.measures, framesPerSecond: 50, references: [heard.frames])
        } catch let error as SoundFileError {
            throw LiveFailure(sentence: error.sentence)
        } catch let error as PieceNameFault {
            throw LiveFailure(sentence: "\(place.appending(path: "piece.json").path): \(error.sentence)")
        } catch {
            throw LiveFailure(sentence: "“\(folder)” cannot be heard: \(error)")
        }
    }

    /// - Parameter name: nil for the first by name.
    private func performance(_ name: String?, of folder: String) throws(LiveFailure) -> ConcertPerformance {
        let place = URL(fileURLWithPath: recordings).appending(path: folder)
        let inside = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for candidate in inside.sorted() where name == nil || candidate == name {
            do {
                let found = try ConcertPerformance(directory: place.appending(path: candidate))
                if let found { return found }
            } catch {
                throw LiveFailure(sentence: error.sentence)
            }
        }
        throw LiveFailure(
            sentence: name.map { "“\(folder)” has no performance “\($0)” in “\(recordings)”." }
                ?? "“\(folder)” has no recording with measures in “\(recordings)”.")
    }
}
