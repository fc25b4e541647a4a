import Rehearsal
import WebServer

/// Prints a part of a score as PDF with remarks, for the services that choose which.
///
/// Each user may have one part printed at a time, over all services, so that nobody blocks the others.
package struct PartPrinting: Sendable {
    /// Prints a part of a score with the given remarks, those of other parts left out.
    package typealias Print =
        @Sendable (
            Rehearsal.Score.ID, _ part: Int, _ form: PrintedForm, [Remark]
        ) async -> WebResponse

    private static let limits = ResourceQuota.Limits(total: 64, perAccount: 1)

    private let print: Print
    private let quota = SharedResourceQuota(Self.limits)

    package init(_ print: @escaping Print) { self.print = print }

    /// Prints a part for a user.
    package func printPart(
        _ part: Int, of score: Rehearsal.Score.ID, in form: PrintedForm, with remarks: [Remark],
        for user: RehearsalRoomUser
    ) async -> WebResponse {
        // Without sign-in everybody is the same made-up user.
        guard user.id != RehearsalRoomUser.idWithoutSignIn else {
            return await print(score, part, form, remarks)
        }
        guard let place = try? quota.takePlace(ResourceQuota.Holder(account: user.id.description)) else {
            return .refused(
                409, "busy", "Another part is being printed for you; wait until it is finished.")
        }
        defer { place.giveBackPlace() }
        return await print(score, part, form, remarks)
    }
}
