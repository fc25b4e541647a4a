import Basics
import Foundation
import Platform
import Testing

@testable import TestHelpers
@testable import WebServer

/// What a client by others, `curl`, gets from a server on loopback: head and body; nil if it does not trust the server
/// or gets no answer.
/// - Parameters:
///   - certificatePath: what the client trusts.
///   - further: options of curl.
func askOverTLS(
    _ path: String, port: Int, trusting certificatePath: String, host: String = "localhost",
    _ further: [String] = []
) async -> String? {
    let folder = FileManager.default.temporaryDirectory.appending(path: "baton-curl-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil
    else {
        return nil
    }
    let output = folder.appending(path: "said")
    let outcome = await ChildProcess(
        executable: URL(filePath: "/usr/bin/curl"),
        arguments: [
            "--disable", "--silent", "--include", "--noproxy", "*", "--cacert", certificatePath, "--header",
            "X-Baton: 1", "--resolve", "\(host):\(port):127.0.0.1", "https://\(host):\(port)\(path)",
        ] + further,
        timeLimitSeconds: 20
    ).run(output: output, errors: folder.appending(path: "errors"))
    return outcome == .finished(status: 0) ? ChildProcess.outputText(of: output) : nil
}

/// The values of a header field of such an answer.
func values(ofField name: String, in answer: String) -> [String] {
    let head = answer.components(separatedBy: "\r\n\r\n")[0]
    return head.components(separatedBy: "\r\n").filter { $0.lowercased().hasPrefix("\(name):") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
}

@Suite(.ownThreads, .serialized) struct TLSTests {
    /// A certificate for 127.0.0.1, made for this test.
    private func certificate(_ folder: PageFolder, name: String = "own") throws -> WebSettings.TLSFiles {
        let files = WebSettings.TLSFiles(
            certificatePath: folder.path + "/../\(name).pem", keyPath: folder.path + "/../\(name).key")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
            files.keyPath,
            "-out", files.certificatePath,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return files
    }

    @Test func serverSpeaksTLSAndItsCookieIsSecure() async throws {
        let folder = try PageFolder()
        let files = try certificate(folder)
        let stage = try Stage { $0.tls = files }
        try await stage.live { port in
            let answer = await askOverTLS(
                "/api/login", port: port, trusting: files.certificatePath,
                ["--json", #"{"name":"ines","password":"open sesame"}"#])
            #expect(answer?.hasPrefix("HTTP/1.1 200") == true)
            #expect(values(ofField: "set-cookie", in: answer ?? "").first?.contains("; Secure") == true)
            // Who writes the address without its scheme is led on; nothing else is told without TLS.
            for (line, status) in [("GET /console", "308"), ("POST /api/login", "403")] {
                let plain = try RawClient(port: port)
                plain.send(
                    "\(line) HTTP/1.1\r\nHost: hall:8443\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                let answer = plain.receiveAll()
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
                #expect(status != "308" || answer.contains("https://hall:8443/console"))
            }
        }
    }

    @Test func handshakeThatNeverComesIsNotWaitedForLong() async throws {
        let folder = try PageFolder()
        let files = try certificate(folder)
        let stage = try Stage {
            $0.tls = files
            $0.timeouts.requestHead = .milliseconds(300)
        }
        let time = try await stage.live { port in
            let client = try RawClient(port: port)
            return ContinuousClock().measure { _ = client.receive() }
        }
        // Without the setting it would be fifteen seconds.
        #expect(time < .seconds(10))
    }

    @Test func keyThatOthersMayReadIsRefused() throws {
        let folder = try PageFolder()
        let files = try certificate(folder)
        for mode in [0o644, 0o640, 0o604, 0o660, 0o601] {
            #expect(chmod(files.keyPath, mode_t(mode)) == 0)
            #expect(
                throws: ExplainedError(
                    "Other users than its owner can read the key file \(files.keyPath); run 'chmod 600' "
                        + "on it."), "\(String(mode, radix: 8))"
            ) {
                try TLSFileReader.read(files)
            }
        }
        for mode in [0o600, 0o400] {
            #expect(chmod(files.keyPath, mode_t(mode)) == 0)
            _ = try TLSFileReader.read(files)
        }
    }

    @Test(arguments: [
        ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-CHACHA20-POLY1305", true),
        ("ECDHE-ECDSA-AES128-SHA", false), ("ECDHE-ECDSA-AES256-SHA", false),
    ])
    func inTLSOneTwoOnlySuitesThatAuthenticateAreSpoken(suite: String, isSpoken: Bool) async throws {
        let folder = try PageFolder()
        let files = try certificate(folder)
        let stage = try Stage { $0.tls = files }
        let answered = try await stage.live { port in
            await askOverTLS(
                "/healthz", port: port, trusting: files.certificatePath,
                ["--tls-max", "1.2", "--ciphers", suite])
        }
        #expect((answered?.hasPrefix("HTTP/1.1 200") == true) == isSpoken)
    }

    @Test func unusableFilesAreNamed() throws {
        let folder = try PageFolder()
        let (own, other) = (try certificate(folder), try certificate(folder, name: "other"))
        func failure(_ certificatePath: String, _ keyPath: String) -> String {
            do {
                _ = try Stage { $0.tls = .init(certificatePath: certificatePath, keyPath: keyPath) }
                return "none"
            } catch {
                return (error as? ExplainedError)?.sentence ?? "\(error)"
            }
        }
        #expect(failure(own.certificatePath, own.keyPath) == "none")
        #expect(failure("/nowhere.pem", own.keyPath).contains("/nowhere.pem"))
        #expect(failure(own.keyPath, own.keyPath).contains("holds no certificate"))
        #expect(failure(own.certificatePath, own.certificatePath).contains("holds no private key"))
        #expect(failure(own.certificatePath, other.keyPath).contains("does not belong"))
    }
}
