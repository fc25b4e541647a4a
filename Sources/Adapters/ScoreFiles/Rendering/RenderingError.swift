import Basics
import Foundation

/// The reasons why a score could not be rendered.
public enum RenderingError {
    public static func cannotWrite(path: String, reason: String) -> ExplainedError {
        ExplainedError("\(path) cannot be written: \(reason); choose another place with --out.")
    }

    public static func soundfontMissing(path: String?) -> ExplainedError {
        ExplainedError(
            path.map { "The soundfont \($0) does not exist; give another --soundfont." }
                ?? "No soundfont was found; run: apt-get install fluid-soundfont-gm (or timgm6mb-soundfont).")
    }

    public static func toolFailed(tool: String, score: String, reason: String) -> ExplainedError {
        ExplainedError("\(tool) could not render \(score): \(reason).")
    }

    public static func timemapUnusable(score: String, reason: String) -> ExplainedError {
        ExplainedError("The measures of \(score) cannot be used: \(reason).")
    }
}
