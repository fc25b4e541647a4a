import Foundation

/// Writes to standard error, which is a person's even where standard output is a program's.
func say(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
