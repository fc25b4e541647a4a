import Catalogue
import Platform
import Synchronization
import WebServer

/// Decides who may use the diary's API, and how often.
///
/// Every call carries the token of an application or of an administrator, or comes from a person who is signed in. Each
/// address and each token has a rate of its own, so that one application does not take the server's time from others.
final class DiaryGate: Sendable {
    enum Right: Sendable {
        /// May read.
        case application
        /// May read and write.
        case administrator
    }

    static let callsPerSecondOfAddress = 50
    static let burstOfAddress = 200
    static let callsPerSecondOfToken = 50
    static let burstOfToken = 200
    /// The pages of a whole audience may come from one address.
    static let pageCallsPerSecondOfAddress = 200
    static let pageBurstOfAddress = 2_000

    private let tokens: DiaryTokens
    private let addressRates: Mutex<RateLimit<String>>
    private let tokenRates: Mutex<RateLimit<String>>
    private let pageRates = Mutex(
        RateLimit<String>(
            unitsPerSecond: DiaryGate.pageCallsPerSecondOfAddress, burst: DiaryGate.pageBurstOfAddress))

    init(
        tokens: DiaryTokens, addressBurst: Int = DiaryGate.burstOfAddress,
        tokenBurst: Int = DiaryGate.burstOfToken
    ) {
        self.tokens = tokens
        addressRates = Mutex(
            RateLimit(unitsPerSecond: Self.callsPerSecondOfAddress, burst: addressBurst))
        tokenRates = Mutex(RateLimit(unitsPerSecond: Self.callsPerSecondOfToken, burst: tokenBurst))
    }

    /// Checks a call.
    /// - Returns: the refusal; nil if the call may be answered.
    func refusal(of request: WebRequest, needing right: Right) async -> WebResponse? {
        guard admits(request.visitorAddress) else { return Self.tooOften }
        if let person = request.person {
            guard right == .application || person.role == .administrator else { return Self.notAdministrator }
            return nil
        }
        guard let text = request.bearerToken else { return Self.noToken }
        let found: DiaryToken?
        do { found = try await tokens.token(shown: text) } catch {
            return .refused(503, "not-readable", "The tokens cannot be read now; try again in a moment.")
                .withHeader("Retry-After", "2")
        }
        guard let found else { return Self.wrongToken }
        guard tokenRates.withLock({ $0.admits(found.id, at: .now) }) else { return Self.tooOften }
        guard right == .application || found.kind == .administrator else { return Self.notAdministrator }
        return nil
    }

    /// Counts a call of an address; false if it has called too often.
    func admits(_ address: String) -> Bool { addressRates.withLock { $0.admits(address, at: .now) } }

    /// Counts a call of a page; false if its address has called too often.
    func admitsPage(_ address: String) -> Bool { pageRates.withLock { $0.admits(address, at: .now) } }

    static let tooOften = WebResponse.refused(
        429, "too-often", "There were too many calls in a short time; wait a second, then go on more slowly."
    ).withHeader("Retry-After", "1")
    private static let noToken = WebResponse.refused(
        401, "token", "This call needs a token: send the header “Authorization: Bearer TOKEN”."
    ).withHeader("WWW-Authenticate", "Bearer")
    private static let wrongToken = WebResponse.refused(
        401, "token", "This token is not known, or was withdrawn; ask the house's administrator for another."
    ).withHeader("WWW-Authenticate", "Bearer error=\"invalid_token\"")
    private static let notAdministrator = WebResponse.refused(
        403, "not-allowed", "This call needs the token of an administrator; yours may only read.")
}
