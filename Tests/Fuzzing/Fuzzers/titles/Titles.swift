import FuzzDriver
import Titles

/// Lists of titles in all formats; the first byte chooses one. What is accepted reads the same after it was written.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 4 {
    case 0:
        guard let titles = try? TitleSheet.titles(of: bytes), let list = try? TitleList(titles) else { break }
        guard let again = try? TitleSheet.titles(of: Array(TitleSheet.csv(of: list).utf8)) else {
            preconditionFailure("what was accepted is refused after it was written")
        }
        precondition(
            (try? TitleList(again))?.fingerprint == list.fingerprint, "written, it reads differently")
    case 1: _ = try? TitleSubtitles.titles(of: bytes, .srt)
    case 2: _ = try? TitleSubtitles.titles(of: bytes, .webVTT)
    default: _ = try? TitlePlainText.titles(of: bytes)
    }
    return 0
}

@_cdecl("titles_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
