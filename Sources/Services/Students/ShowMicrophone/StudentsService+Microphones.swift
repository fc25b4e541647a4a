import Basics
import Foundation
import Hosting
import WebServer

/// The addresses of tablets that are the show's microphone in rehearsals. Whoever is signed in may offer a tablet;
/// operators choose among all, the leader of a room chooses the leader's own.
extension StudentsService {
    var microphoneRoutes: [WebRoute] {
        [
            WebRoute(.get, "/api/microphones", .signedIn) { request in await microphonesResponse(request) },
            // A tablet's sound is heard and not kept.
            WebRoute(.post, "/api/microphones", .signedIn, bodyLimitBytes: 4_096) { request in
                try offerResponse(request)
            }.withoutDiskSpace,
            WebRoute(
                .post, "/api/microphones/:microphone/blocks", .signedIn, bodyLimitBytes: SoundBatch.mostBytes
            ) { request in try showSoundResponse(request) }.withoutDiskSpace,
            WebRoute(.delete, "/api/microphones/:microphone", .signedIn) { request in
                try withdrawalResponse(request)
            },
            WebRoute(.put, "/api/microphone", .signedIn, bodyLimitBytes: 4_096) { request in
                try await choiceResponse(request)
            }.withoutDiskSpace,
            WebRoute(.delete, "/api/microphone", .signedIn) { request in
                try await ownInputResponse(request)
            },
        ]
    }

    /// The longest name of a tablet, in characters.
    private static let longestName = 60

    /// A tablet's name as operators see it.
    static func tabletName(_ text: String?) -> String {
        let name = NameRule.cleaned(NameRule.cleaned(text ?? "").prefix(longestName))
        return name.isEmpty ? "Tablet" : name
    }

    /// Everybody sees whether a tablet is heard; the tablets of others are shown to operators only.
    private func microphonesResponse(_ request: WebRequest) async -> WebResponse {
        var section = microphonesSection
        if !Self.isOperator(request) {
            let own = microphones.ids(ofOwner: Self.owner(request))
            section.offers = section.offers.filter { own.contains($0.id) || $0.isChosen }
        }
        return .json(section)
    }

    private struct OfferRequest: Decodable {
        var name: String?
        var rate: Double
        var settings: ProcessingSettings?
        /// The id and the secret of an earlier offer that goes on.
        var id: String?
        var secret: String?
    }

    private struct OfferJSON: Encodable {
        var id: String
        var secret: String
    }

    private func offerResponse(_ request: WebRequest) throws -> WebResponse {
        let order = try JSONBody.decode(OfferRequest.self, from: request.body)
        guard let rate = Int(exactly: order.rate), MicrophoneStream.rates.contains(rate) else {
            return .refused(
                422, "bad-rate",
                "A microphone with \(order.rate) samples a second cannot be used; 44100 and 48000 are usual.")
        }
        let person = request.person?.name ?? ""
        let tablet = ShowMicrophones.Description(
            owner: Self.owner(request), person: person, name: Self.tabletName(order.name), rate: rate,
            processing: order.settings?.words ?? [:])
        let old = order.id.flatMap { id in order.secret.map { (id: id, secret: $0) } }
        do throws(ResourceQuota.Refusal) {
            let (id, secret) = try microphones.offer(
                tablet, resuming: old, holder: Self.holder(request))
            publishMicrophones()
            return .json(OfferJSON(id: id, secret: secret))
        } catch {
            return .refused(
                503, "full",
                "\(ShowMicrophones.limits.total) tablets, or \(ShowMicrophones.limits.perAccount) of one account, "
                    + "offer their microphones, the most there may be. End one of them first.")
        }
    }

    private struct HeardJSON: Encodable {
        /// True if this tablet is the show's microphone.
        var isChosen: Bool
    }

    private func showSoundResponse(_ request: WebRequest) throws -> WebResponse {
        let batch = try SoundBatch(request.body)
        let delay = min(max(Int(request.queryParameters["delay"] ?? "") ?? 0, 0), 60_000)
        do throws(BlockSequencer.Fault) {
            let isChosen = try microphones.hear(
                batch.blocks, of: request.pathParameters["microphone"] ?? "", secret: batch.secret,
                owner: Self.owner(request), delay: delay)
            guard let isChosen else { return Self.offerEndedResponse }
            return .json(HeardJSON(isChosen: isChosen))
        } catch {
            return .refused(
                422, "too-far", "More than a minute of sound is missing before these blocks. Offer it again.")
        }
    }

    private struct SecretRequest: Decodable {
        var secret: String
    }

    private func withdrawalResponse(_ request: WebRequest) throws -> WebResponse {
        let order = try JSONBody.decode(SecretRequest.self, from: request.body)
        guard
            microphones.withdraw(
                request.pathParameters["microphone"] ?? "", secret: order.secret,
                owner: Self.owner(request))
        else { return Self.offerEndedResponse }
        publishMicrophones()
        return .succeeded
    }

    private struct ChoiceRequest: Decodable {
        var id: String
    }

    private func choiceResponse(_ request: WebRequest) async throws -> WebResponse {
        let order = try JSONBody.decode(ChoiceRequest.self, from: request.body)
        return try await changeMicrophone(request) { owner in
            guard let hearing else { throw Refusal.noShow }
            if let refusal = hearing.refusal { throw refusal }
            try microphones.choose(order.id, ofOwner: owner)
        }
    }

    private func ownInputResponse(_ request: WebRequest) async throws -> WebResponse {
        try await changeMicrophone(request) { owner in try microphones.chooseOwnInput(ofOwner: owner) }
    }

    /// Carries out a choice with the rights of whoever asks: operators for all tablets, leaders for their own.
    private func changeMicrophone(
        _ request: WebRequest, _ change: (_ owner: String?) throws -> Void
    ) async throws -> WebResponse {
        guard let person = request.person else { return .signInFirst }
        if Self.isOperator(request) {
            try change(nil)
        } else {
            guard await hearing?.leadsRehearsal(person) == true else { throw Refusal.noLeader }
            try change(Self.owner(request))
        }
        publishMicrophones()
        return .succeeded
    }

    private static func isOperator(_ request: WebRequest) -> Bool {
        request.person.map { WebRole.operators.contains($0.role) } ?? false
    }

    private static let offerEndedResponse = WebResponse.refused(
        404, "ended", "This tablet does not offer its microphone any more. Offer it again.")

    // MARK: What operators see

    var microphonesSection: MicrophonesSection {
        microphones.section(refusal: (hearing?.refusal ?? (hearing == nil ? .noShow : nil))?.sentence)
    }

    func publishMicrophones() { hearing?.consoles.publish(.microphones, microphonesSection) }

    /// Publishes the tablets twice a second, ends offers without sound, and goes back to the server's own input when
    /// rehearsal mode has ended.
    func watchMicrophones() async {
        guard let hearing else { return }
        while !Task.isCancelled {
            microphones.removeIdle()
            if !hearing.show.newestSnapshot.state.isRehearsal {
                try? microphones.chooseOwnInput(ofOwner: nil)
            }
            publishMicrophones()
            try? await Task.sleep(for: .milliseconds(500))
        }
    }
}
