import Foundation

/// Writes to standard error, so that messages for people do not mix with data on standard output.
package func printToStandardError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
}
