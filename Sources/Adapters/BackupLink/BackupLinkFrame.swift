import Foundation

/// A message between the two servers on the stream.
enum BackupLinkFrame: Equatable, Sendable {
    /// Request: send me your log after this line, which I have. Without a line, the log is sent from the beginning.
    case requestLog(sequence: UInt64, digest: String)
    /// Reply: your copy does not match my log. Discard it; my log follows from its first line.
    case restartCopy
    /// Reply to ``requestLog(sequence:digest:)``: the lines after this one follow.
    case linesAfter(sequence: UInt64)
    case line(BackupLogLine)
    /// Confirmation: I have written all lines up to this number to disk.
    case confirmed(sequence: UInt64)
    /// A question about something other than the log; see ``BackupLink/askOtherServer(_:)``.
    case ask(number: UInt64, question: [UInt8])
    case answer(number: UInt64, answer: [UInt8])
    /// A sign of life when there is nothing else to send.
    case keepAlive

    var bytes: [UInt8] {
        switch self {
        case .requestLog(let sequence, let digest): Array("follow \(sequence) \(digest)".utf8)
        case .restartCopy: Array("again".utf8)
        case .linesAfter(let sequence): Array("from \(sequence)".utf8)
        case .line(let line): Array("line \(line.sequence) ".utf8) + line.bytes
        case .confirmed(let sequence): Array("have \(sequence)".utf8)
        case .ask(let number, let question): Self.encodeNumbered("ask", number, question)
        case .answer(let number, let answer): Self.encodeNumbered("answer", number, answer)
        case .keepAlive: Array("beat".utf8)
        }
    }

    init?(bytes: ArraySlice<UInt8>) {
        let parts = bytes.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        let word = String(decoding: parts[0], as: UTF8.self)
        func number(_ index: Int) -> UInt64? {
            parts.count > index ? UInt64(String(decoding: parts[index], as: UTF8.self)) : nil
        }
        switch (word, parts.count) {
        case ("beat", 1): self = .keepAlive
        case ("again", 1): self = .restartCopy
        case ("from", 2):
            guard let sequence = number(1) else { return nil }
            self = .linesAfter(sequence: sequence)
        case ("have", 2):
            guard let sequence = number(1) else { return nil }
            self = .confirmed(sequence: sequence)
        case ("follow", 3):
            guard let sequence = number(1) else { return nil }
            self = .requestLog(sequence: sequence, digest: String(decoding: parts[2], as: UTF8.self))
        case ("line", 3):
            guard let sequence = number(1) else { return nil }
            self = .line(BackupLogLine(sequence: sequence, bytes: Array(parts[2])))
        case ("ask", 3):
            guard let number = number(1), let question = Data(base64Encoded: Data(parts[2])),
                question.count <= BackupLinkLimits.mostQuestionBytes
            else { return nil }
            self = .ask(number: number, question: Array(question))
        case ("answer", 3):
            guard let number = number(1), let answer = Data(base64Encoded: Data(parts[2])),
                answer.count <= BackupLinkLimits.mostAnswerBytes
            else { return nil }
            self = .answer(number: number, answer: Array(answer))
        default: return nil
        }
    }

    /// Encodes a word, a number and a payload. The payload is in Base64, because a line break ends a frame.
    private static func encodeNumbered(_ word: String, _ number: UInt64, _ body: [UInt8]) -> [UInt8] {
        Array("\(word) \(number) ".utf8) + Data(body).base64EncodedData()
    }
}
