import Basics
import BackupLink
import Foundation

/// Two servers begin the next evening together: each writes it and begins its program again; then, as at any start, one
/// leads and the other one copies.
extension FailoverCoordinator {
    /// The first bytes of a question about the next evening. Other questions are encrypted and do not begin with them.
    private static let mark = Array("next evening ".utf8)
    private static let agreement = Array("it begins".utf8)

    /// Tells the other server which evening begins now, so that it ends this one too. A server that is not heard is not
    /// told: when it comes back, it copies the evening as it copies any other.
    /// - Throws: a sentence, if the other server is heard but cannot begin it.
    func tellOtherServer(nextEvening: ProgrammeFile) async throws(ExplainedError) {
        guard link?.status.isOtherServerHeard == true else { return }
        guard let file = try? JSONEncoder().encode(nextEvening) else {
            throw ExplainedError("The next evening cannot be sent to the other server.")
        }
        let answer = try await askOtherServer(Self.mark + file)
        guard answer != Self.agreement else { return }
        throw ExplainedError(
            String(validating: answer, as: UTF8.self)
                ?? "The other server cannot begin an evening together with this one; both need the same version."
        )
    }

    /// Begins the evening of which the other server tells.
    /// - Returns: the answer; nil if the question is another one.
    func answerNextEvening(_ question: [UInt8]) -> [UInt8]? {
        guard question.starts(with: Self.mark) else { return nil }
        guard
            let next = try? JSONDecoder().decode(
                ProgrammeFile.self, from: Data(question.dropFirst(Self.mark.count)))
        else {
            return Array("The other server cannot read the next evening; both need the same version.".utf8)
        }
        guard isFollowingActiveServer else {
            return Array(
                "The other server does not follow this one, so it cannot begin the next evening.".utf8)
        }
        do throws(ExplainedError) { try nextEvening.begin(next) } catch {
            return Array("On the other server: \(error.explanation)".utf8)
        }
        return Self.agreement
    }
}
