import Foundation
import Platform

/// Builds the names of a show's log files and lists the files of a folder.
enum ShowLogFileNames {
    static func name(ofFile number: Int) -> String {
        let digits = "\(number)"
        return "log-" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits + ".jsonl"
    }

    /// The numbers of the log files in a show's folder, ascending.
    static func fileNumbers(in folder: String) throws(ShowLogFault) -> [Int] {
        try listEntries(of: folder).compactMap(parseFileNumber).sorted()
    }

    static func parseFileNumber(of name: String) -> Int? {
        guard name.hasPrefix("log-"), name.hasSuffix(".jsonl") else { return nil }
        return Int(name.dropFirst(4).dropLast(6))
    }

    static func listEntries(of folder: String) throws(ShowLogFault) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .unreadable(path: folder, reason: error.localizedDescription)
        }
    }

    /// Flushes a folder to the disk, so that the names of new files in it survive a power cut. It is not enough to
    /// flush the file itself.
    static func flushToDisk(folder: String) {
        try? DurableFile.flush(folder)
    }
}
