import Foundation
import Hosting
import Platform
import Sound
import Synchronization

/// The takes that students sent for reports, in `DATA/takes/ACCOUNT/TAKE/`. Each account finds its own only. Nothing of them leaves
/// this server and its backup; a take that is deleted is gone from both, and so are those of a deleted account.
struct TakeStore: Sendable {
    /// At most so many takes of an account.
    static let mostTakes = 100
    /// At most so many bytes of an account's takes: about four hours of sound.
    static let mostBytes = 1 << 30
    /// At most so many bytes of all takes, so that one service does not fill the disk of the show.
    static let mostBytesOfAll = 16 << 30

    let folder: String
    /// The folder of sound that is arriving.
    let arrivingFolder: String
    /// The room that takes leave to the show.
    let reserve: DiskReserve

    init(data: String, reserve: DiskReserve? = nil) {
        folder = data + "/takes"
        arrivingFolder = data + "/takes-arriving"
        self.reserve = reserve ?? DiskReserve(folder: data)
    }

    /// A take with its name, which is unique for its account.
    struct Entry: Equatable, Sendable {
        var name: String
        var take: Take
        var bytes: Int
    }

    /// The folder of an account. Its name tells nothing about the account, and no account can choose it.
    private func folder(of owner: String) -> String { folder + "/" + Self.folderName(of: owner) }

    static func folderName(of owner: String) -> String {
        Digest(of: Array(owner.utf8)).bytes.prefix(16).map { String(format: "%02x", $0) }.joined()
    }

    static func isValidName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }

    /// The newest first.
    func list(of owner: String) -> [Entry] {
        let place = folder(of: owner)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return names.filter(Self.isValidName).sorted(by: >).compactMap { name in
            read(place + "/" + name).map {
                Entry(name: name, take: $0, bytes: Self.byteCount(place + "/" + name))
            }
        }
    }

    /// Makes the folder of a new take.
    /// - Parameter keepPiece: puts the piece into the folder. If it throws, the folder is removed.
    /// - Returns: its name and its folder.
    func begin(
        _ take: Take, owner: String, keepPiece: (String) throws(TakeFault) -> Void = { _ in }
    ) throws(TakeFault) -> (name: String, folder: String) {
        let (name, place) = try Self.beginning.withLock { _ throws(TakeFault) in
            try makeFolder(of: take, owner: owner)
        }
        do throws(TakeFault) {
            try keepPiece(place)
            guard TakePiece(folder: place).isKept else { return (name, place) }
            var kept = take
            kept.pieceKeptAt = take.startedAt
            try Self.save(kept, in: place)
        } catch {
            try? FileManager.default.removeItem(atPath: place)
            throw error
        }
        return (name, place)
    }

    /// Keeps a take whose sound has arrived; it is on the disk when this returns.
    /// - Parameters:
    ///   - sound: the path of the sound, in any format that is read.
    ///   - lostSeconds: of silence for sound that the microphone did not give.
    ///   - keepPiece: puts the piece into the folder of the take.
    /// - Returns: its name.
    func keep(
        _ take: Take, sound: String, lostSeconds: Double, owner: String,
        keepPiece: (String) throws(TakeFault) -> Void
    ) throws(TakeFault) -> String {
        let reader: SoundFileReader
        do throws(SoundFileError) { reader = try SoundFileReader(path: sound) } catch {
            throw .badSound(sentence: "What was sent is no recording: \(error.sentence)")
        }
        guard TakeWriter.rates.contains(reader.sampleRate.hertz), reader.frameCount > 0 else {
            throw .badSound(
                sentence: "A take has sound of 8000 to 192000 samples a second; what was sent has none.")
        }
        // Whoever looks for interrupted takes leaves alone those that began after the start of the server.
        var begun = take
        begun.startedAt = Int64(Date().timeIntervalSince1970 * 1_000)
        let (name, place) = try begin(begun, owner: owner, keepPiece: keepPiece)
        do throws(TakeFault) {
            begun = try self.take(name, of: owner).take
            begun.startedAt = take.startedAt
            begun.pieceKeptAt = take.startedAt
            let writer = try TakeWriter(folder: place, take: begun, rate: reader.sampleRate, reserve: reserve)
            try writer.write(reader)
            try writer.close(lostSeconds: lostSeconds)
        } catch {
            try? FileManager.default.removeItem(atPath: place)
            throw error
        }
        return name
    }

    /// Held while a take is counted and entered, so that of two takes that begin at the same time only one gets the
    /// last place.
    private static let beginning = Mutex(())

    /// Makes the folder of a take with its description, so that it counts from now on.
    private func makeFolder(of take: Take, owner: String) throws(TakeFault) -> (name: String, folder: String)
    {
        let entries = list(of: owner)
        guard entries.count < Self.mostTakes else { throw .tooMany(Self.mostTakes) }
        guard entries.reduce(0, { $0 + $1.bytes }) < Self.mostBytes else {
            throw .tooLarge(bytes: Self.mostBytes)
        }
        guard bytesOfAll() < Self.mostBytesOfAll else {
            throw .notWritten(reason: "the takes of all students together have reached their limit")
        }
        guard reserve.hasRoom else { throw .diskFull }
        let clock = DateFormatter()
        clock.locale = Locale(identifier: "en_US_POSIX")
        clock.timeZone = TimeZone(identifier: "UTC")
        clock.dateFormat = "yyyy-MM-dd-HHmmss"
        let moment = clock.string(from: Date(timeIntervalSince1970: Double(take.startedAt) / 1_000))
        let name = moment + "-" + String(UInt32.random(in: .min ... .max), radix: 36)
        let place = folder(of: owner) + "/" + name
        do {
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .notWritten(reason: "its folder cannot be made") }
        do throws(TakeFault) { try Self.save(take, in: place) } catch {
            try? FileManager.default.removeItem(atPath: place)
            throw error
        }
        return (name, place)
    }

    /// Finds a take of an account.
    /// - Returns: its description and the path of its sound.
    func take(_ name: String, of owner: String) throws(TakeFault) -> (take: Take, sound: String) {
        let place = folder(of: owner) + "/" + name
        guard Self.isValidName(name), let take = read(place) else { throw .missing }
        return (take, place + "/" + Take.soundFile)
    }

    func delete(_ name: String, of owner: String) throws(TakeFault) {
        _ = try take(name, of: owner)
        do { try FileManager.default.removeItem(atPath: folder(of: owner) + "/" + name) } catch {
            throw .notWritten(reason: "the server may not delete it")
        }
    }

    /// Completes the takes that were being written when the server was killed. A take that cannot be repaired
    /// now stays for the next start.
    /// - Parameter start: when this server started, in milliseconds since 1970. Takes that began later are
    ///   being written.
    func completeInterrupted(before start: Int64) {
        let files = FileManager.default
        for owner in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
            for name in (try? files.contentsOfDirectory(atPath: folder + "/" + owner)) ?? [] {
                let place = folder + "/" + owner + "/" + name
                guard let take = read(place), take.seconds == nil, take.startedAt < start else { continue }
                complete(take, in: place)
            }
        }
    }

    /// Completes an interrupted take, or removes it if no sound is in it.
    private func complete(_ interrupted: Take, in place: String) {
        let sound = place + "/" + Take.soundFile
        guard let frames = Self.repairedFrameCount(sound) else { return }
        guard frames > 0 else {
            try? FileManager.default.removeItem(atPath: place)
            return
        }
        guard let header = FLACStreamHeader(file: sound) else { return }
        var take = interrupted
        take.seconds = Double(frames) / Double(header.hertz)
        take.trouble = "The server ended before the take was complete."
        try? Self.save(take, in: place)
    }

    /// The number of frames of a repaired file: 0 if it is missing, nil if it cannot be repaired now.
    private static func repairedFrameCount(_ sound: String) -> Int? {
        var status = stat()
        if stat(sound, &status) != 0, errno == ENOENT { return 0 }
        return try? FLACRepair.repair(file: sound)
    }

    /// Writes the description; it is on the disk when this returns.
    static func save(_ take: Take, in folder: String) throws(TakeFault) {
        let path = folder + "/" + Take.descriptionFile
        do { try JSONFile.write(take, to: path) } catch {
            throw .notWritten(reason: "its description cannot be written")
        }
    }

    private func read(_ folder: String) -> Take? {
        (try? Data(contentsOf: URL(filePath: folder + "/" + Take.descriptionFile))).flatMap {
            try? JSONDecoder().decode(Take.self, from: $0)
        }
    }

    private func bytesOfAll() -> Int {
        let files = FileManager.default
        return ((try? files.contentsOfDirectory(atPath: folder)) ?? []).reduce(0) { sum, owner in
            let names = (try? files.contentsOfDirectory(atPath: folder + "/" + owner)) ?? []
            return names.reduce(sum) {
                $0 + Self.byteCount("\(folder)/\(owner)/\($1)")
            }
        }
    }

    /// The bytes of all files of a take: its sound, and the piece that it was played against.
    private static func byteCount(_ take: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: take)) ?? []
        return names.reduce(0) { sum, name in
            var status = stat()
            return stat(take + "/" + name, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }
}
