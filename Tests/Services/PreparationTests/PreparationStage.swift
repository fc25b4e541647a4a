import Basics
import Foundation
import Hosting
import Sound
import Synchronization

@testable import Concert
@testable import Preparation
@testable import WebServer

/// A service of preparation on an empty data folder, with a worker that the test chooses and a clock of its own.
final class PreparationStage {
    static let now: Int64 = 1_790_000_000_000
    /// The clock goes on by a millisecond each time it is read.
    private static let readings = Mutex<Int64>(0)

    let folder: String
    private(set) var service: PreparationService
    private let worker: any PreparationWorker
    let evenings: MadeEvenings
    /// The person who sends the requests.
    var person = WebPerson(id: "1", name: "Clara", role: .editor)

    private let isOnProgramme: @Sendable (String) -> Bool
    /// The accounts that were removed.
    let removedAccounts = RemovedAccounts()

    final class RemovedAccounts: Sendable {
        let ids = Mutex<[String]>([])
    }

    init(
        worker: any PreparationWorker = InProcessWorker(), evenings: [RecordedEvening] = [],
        isOnProgramme: @escaping @Sendable (String) -> Bool = { _ in false }
    ) throws {
        self.isOnProgramme = isOnProgramme
        folder = NSTemporaryDirectory() + "baton-preparation-" + UUID().uuidString
        self.worker = worker
        self.evenings = MadeEvenings(evenings)
        service = try Self.open(folder, worker, self.evenings, isOnProgramme, removedAccounts)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func open(
        _ folder: String, _ worker: any PreparationWorker, _ evenings: MadeEvenings,
        _ isOnProgramme: @escaping @Sendable (String) -> Bool, _ removed: RemovedAccounts
    ) throws -> PreparationService {
        try PreparationService(
            data: folder, models: folder + "/Models", recordings: folder + "/Recordings", evenings: evenings,
            worker: worker, isOnProgramme: isOnProgramme,
            removedAccounts: { removed.ids.withLock { $0 } }, readMilliseconds: readClock, say: { _ in })
    }

    @Sendable private static func readClock() -> Int64 {
        readings.withLock { count in
            count += 1
            return now + count
        }
    }

    var store: DraftStore { service.library.store }

    /// Begins again as after `kill -9`: only what is on the disk is known.
    func restartAfterKill() throws {
        service = try Self.open(folder, worker, evenings, isOnProgramme, removedAccounts)
    }

    func makePiece(_ name: String = "Composer, Piece: Movement") async throws -> String {
        try await service.library.create(name: name)
    }

    /// A piece with a recording of 20 s, whose sound is not there, and bars 1 and 2 at 1 s and 2 s.
    func makePieceWithTwoBars() async throws -> String {
        let piece = try await makePiece()
        try await service.library.change(piece) { record in
            record.recordings = [
                DraftRecording(
                    id: "r1", name: "a.flac", file: "a.flac", seconds: 20, sampleRate: 44_100, channels: 2)
            ]
            record.main = "r1"
            _ = record.draft.apply([
                .insert(bar: "a", seconds: 1, printed: 1), .insert(bar: "b", seconds: 2, printed: 2),
            ])
            return nil
        }
        return piece
    }

    /// Makes a file that stands for a model.
    func makeModel(in folder: String) throws {
        let place = "\(self.folder)/Models/\((folder as NSString).lastPathComponent)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: place + "/model.json"))
    }

    /// Sends a request to its route, without the server around it.
    func ask(
        _ method: WebRoute.Method, _ path: String, _ body: some Encodable = [String: String]()
    ) async throws -> (status: Int, json: [String: Any]) {
        try await ask(method, path, bytes: JSONBody.encode(body))
    }

    func ask(_ method: WebRoute.Method, _ path: String, bytes: [UInt8]) async throws
        -> (status: Int, json: [String: Any])
    {
        let answer = try await respond(method, path, bytes)
        let json = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        return (answer.status, json ?? [:])
    }

    func respond(_ method: WebRoute.Method, _ address: String, _ body: [UInt8] = []) async throws
        -> WebResponse
    {
        let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
        let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { $0.split(separator: "=") }
        guard
            case .route(let route, let parameters) = RouteMap(service.routes).findRoute(
                method.rawValue, parts[0])
        else { throw NoRoute(address: address) }
        func request(_ file: UploadedFile?) -> WebRequest {
            WebRequest(
                path: parts[0], pathParameters: parameters,
                queryParameters: Dictionary(
                    uniqueKeysWithValues: query.map { (String($0[0]), String($0[1])) }),
                rawQuery: parts.last ?? "", person: person,
                sessionToken: nil, deviceMark: nil, visitorAddress: "127.0.0.1", isOwnMachine: true,
                contentType: "", origin: "", body: file == nil ? body : [], uploadedFile: file)
        }
        switch route.handler {
        case .answer: return await route.response(to: request(nil))
        case .upload(let folder, _):
            let path = folder + "/" + UUID().uuidString
            try Data(body).write(to: URL(fileURLWithPath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            return await route.response(to: request(UploadedFile(path: path, byteCount: body.count)))
        default: throw NoRoute(address: address)
        }
    }

    struct NoRoute: Error { var address: String }

    /// Uploads a file in chunks of a size.
    /// - Returns: the last answer.
    func upload(_ bytes: [UInt8], as name: String, _ purpose: String, to piece: String, chunk: Int = 1 << 20)
        async throws -> (status: Int, json: [String: Any])
    {
        struct New: Encodable { var name: String, bytes: Int, purpose: String }
        let place = "/api/prepare/pieces/\(piece)/uploads"
        var answer = try await ask(.post, place, New(name: name, bytes: bytes.count, purpose: purpose))
        guard let id = answer.json["upload"] as? String else { return answer }
        var offset = 0
        while offset < bytes.count {
            let part = Array(bytes[offset..<min(offset + chunk, bytes.count)])
            answer = try await ask(.put, place + "/\(id)?offset=\(offset)", bytes: part)
            guard answer.status == 200 else { return answer }
            offset += part.count
        }
        return answer
    }

    /// Makes a sound file with a tone, and returns its bytes.
    func sound(
        seconds: Double, rate: Double = 8_000, name: String = "tone.wav", frequency: Double = 440,
        gain: Float = 0.5
    ) throws -> [UInt8] {
        let path = folder + "/" + name
        let writer = try SoundFileWriter(path: path, rate: SampleRate(hertz: rate))
        try writer.write(
            (0..<Int(seconds * rate)).map { gain * Float(sin(2 * Double.pi * frequency * Double($0) / rate)) }
        )
        try writer.close()
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

/// Evenings that a test made; a test may delete them.
final class MadeEvenings: RecordedEvenings {
    private let evenings: Mutex<[RecordedEvening]>

    init(_ evenings: [RecordedEvening] = []) { self.evenings = Mutex(evenings) }

    func deleteAll() { evenings.withLock { $0 = [] } }

    let listeningRoles: Set<WebRole> = [.technician, .administrator]
    func listEvenings() -> [RecordedEvening] { evenings.withLock { $0 } }
    func evening(named name: String) -> RecordedEvening? { listEvenings().first { $0.name == name } }
    var presentRecording: PresentRecording { present.withLock { $0 } }
    let present = Mutex(PresentRecording(name: nil, isRecording: false, sentence: "Nothing is recorded."))
}

/// A worker whose results the test decides, and that waits until the test lets it go on.
final class ScriptedWorker: PreparationWorker {
    private let state: Mutex<[PreparationWorkResult]>
    /// Finished when the test lets the work end; the work waits for it.
    private let gate: AsyncStream<Void>
    private let opening: AsyncStream<Void>.Continuation
    let begun: AsyncStream<PreparationWork>
    private let beginning: AsyncStream<PreparationWork>.Continuation

    init(results: [PreparationWorkResult], isOpen: Bool = true) {
        state = Mutex(results)
        (gate, opening) = AsyncStream.makeStream()
        (begun, beginning) = AsyncStream.makeStream()
        if isOpen { opening.finish() }
    }

    func open() { opening.finish() }

    func perform(
        _ work: PreparationWork, in folder: String,
        progress: @escaping @Sendable (PreparationProgress) -> Void
    ) async -> PreparationWorkResult {
        beginning.yield(work)
        progress(PreparationProgress(stage: "Working", share: 0.5))
        for await _ in gate {}
        return state.withLock { $0.isEmpty ? .failed(sentences: ["No more results."]) : $0.removeFirst() }
    }
}
