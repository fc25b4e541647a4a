import Basics

/// The reason why a file of settings cannot be used. Lines count from 1.
public enum SettingsFileError {
    public static func unreadable(path: String, reason: String) -> ExplainedError {
        ExplainedError("\(path) cannot be read: \(reason).")
    }
}
