import Foundation

/// Reads standard input piece by piece. It reads no further until the last piece was taken.
final class StandardInput: Sendable {
    private let pieces: AsyncStream<[UInt8]>
    private let wanted = DispatchSemaphore(value: 0)

    /// The most bytes of one line; a longer one is cut into several.
    private static let longestLine = 4_096

    init() {
        let (pieces, arrived) = AsyncStream.makeStream(of: [UInt8].self)
        self.pieces = pieces
        // A thread that waits for input cannot be interrupted; it ends with the program.
        Thread.detachNewThread { [wanted] in
            var buffer = [UInt8](repeating: 0, count: Self.longestLine)
            while true {
                wanted.wait()
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                guard count > 0 else { return arrived.finish() }
                arrived.yield(Array(buffer[..<count]))
            }
        }
    }

    /// Passes each piece on as it arrives, until the input or the task ends, or the closure returns false.
    func forEachPiece(_ take: ([UInt8]) async -> Bool) async {
        wanted.signal()
        for await piece in pieces {
            guard await take(piece) else { return }
            wanted.signal()
        }
    }

    /// Passes each line on, without its end; empty ones and those that begin with # are left out.
    func forEachLine(_ take: (String) async -> Bool) async {
        var waiting: [UInt8] = []
        func passOn(_ bytes: some Sequence<UInt8>) async -> Bool {
            let line = String(decoding: Array(bytes), as: UTF8.self).trimmingCharacters(
                in: .whitespacesAndNewlines)
            guard !line.isEmpty, !line.hasPrefix("#") else { return true }
            return await take(line)
        }
        var goesOn = true
        await forEachPiece { piece in
            waiting += piece
            while goesOn, let end = waiting.firstIndex(of: 0x0A) {
                let line = waiting[..<end]
                waiting.removeSubrange(...end)
                goesOn = await passOn(line)
            }
            if goesOn, waiting.count >= Self.longestLine {
                goesOn = await passOn(waiting)
                waiting = []
            }
            return goesOn
        }
        if goesOn { _ = await passOn(waiting) }
    }
}

/// Makes the terminal pass on each key at once, without showing it, until ``restore()``. Ctrl-C stays a signal.
struct KeyTerminal {
    private let before: termios

    init() {
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    func restore() {
        var settings = before
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
