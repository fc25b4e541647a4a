import Foundation

@testable import TestHelpers

/// A real broker on a loopback port of its own, and the clients that come with it.
final class Mosquitto {
    static let path = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static let isMissing = path == nil

    let port: Int
    private let folder: URL
    private var process: Process?
    private let extra: String

    /// Started and answering; `extra` are further lines of its configuration.
    init(extra: String = "allow_anonymous true\n", files: [String: String] = [:]) async throws {
        port = Self.freePort()
        folder = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        self.extra = extra.replacingOccurrences(of: "FOLDER", with: folder.path)
        try await start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    func start() async throws {
        let configuration = folder.appending(path: "mosquitto.conf")
        // Runs as whoever runs the test; otherwise it gives up root and cannot read its folder.
        let text = "user \(NSUserName())\nlistener \(port) 127.0.0.1\n" + extra
        try text.write(to: configuration, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.path!)
        process.arguments = ["-c", configuration.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        _ = await eventually { Self.isListening(port) }
    }

    /// As a power cut would.
    func kill() {
        guard let process, process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Keeps the process and its sockets, but nothing is read or answered any more.
    func freeze() { if let process { Glibc.kill(process.processIdentifier, SIGSTOP) } }

    func thaw() { if let process { Glibc.kill(process.processIdentifier, SIGCONT) } }

    /// The messages that `mosquitto_sub` receives, as "topic payload" lines, until there are `count` or `seconds` are
    /// over.
    func hear(_ filter: String, count: Int, seconds: Int = 30) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_sub")
        process.arguments = [
            "-p", "\(port)", "-h", "127.0.0.1", "-t", filter, "-v", "-C", "\(count)",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Its own time limit is a signal, and signals are blocked on the threads it is started from.
        let child = process.processIdentifier
        let limit = DispatchWorkItem { _ = Glibc.kill(child, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds), execute: limit)
        defer { limit.cancel() }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func freePort() -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, length)
                _ = getsockname(descriptor, $0, &length)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
    }

    private static func isListening(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
