import Foundation

extension ChildProcess {
    /// Reads the beginning of a program's output file, at most `limitBytes`.
    public static func outputText(of file: URL, limitBytes: Int = 64 * 1_024) -> String {
        guard let handle = try? FileHandle(forReadingFrom: file),
            let bytes = try? handle.read(upToCount: limitBytes)
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the last line of a program's output file and shortens it, to give as the reason of a failure.
    public static func lastLine(of file: URL) -> String {
        let lines = outputText(of: file).split(whereSeparator: \.isNewline)
        return String((lines.last ?? "").prefix(300)).trimmingCharacters(in: .whitespaces)
    }
}

extension ChildProcess.Outcome {
    /// True if the kernel killed the program, as it does at the limit of processor time. A machine that is short of
    /// memory kills programs in the same way.
    public var wasKilledByKernel: Bool {
        self == .killed(signal: SIGKILL) || self == .killed(signal: SIGXCPU)
    }

    /// The reason why a program failed: the last line of its standard error or, if there is none, the exit status as
    /// a shell counts it (128 plus the signal).
    public func failureReason(errors: URL) -> String {
        switch self {
        case .notStarted(let reason): return reason
        case .timedOut: return "it took too long"
        case .finished(let status), .killed(let status):
            let line = ChildProcess.lastLine(of: errors)
            if !line.isEmpty { return line }
            if case .killed = self { return "exit status \(128 + status)" }
            return "exit status \(status)"
        }
    }
}
