import Basics
import Hosting
import Platform
import Synchronization
import WebServer

/// The tablets that offer their microphones for the show, and the one that the show's follower hears.
///
/// A tablet sends its sound as soon as it offers it, so that an operator sees its level before choosing it. Only the
/// sound of the chosen one goes on to the show.
final class ShowMicrophones: Sendable {
    /// At most eight tablets offer their microphones, an account two of them; three places are for technicians and
    /// administrators.
    static let limits = ResourceQuota.Limits(total: 8, reserve: 3, perAddress: 5, perAccount: 2)
    /// An offer ends after this time without sound; the chosen tablet's never does by itself.
    static let idleLimit = Duration.seconds(20)
    /// A tablet is silent if nothing has come from it for this time.
    static let silentAfter = Duration.seconds(2)

    /// A tablet is not chosen if nothing has come from it for this time.
    static let choosableFor = Duration.seconds(5)

    /// The destination of the chosen sound; nil if this server hears no show.
    let input: (any RemoteMicrophoneInput)?
    private let quota = SharedResourceQuota(limits)
    private let state = Mutex(State())

    private struct State {
        var offers: [String: Offer] = [:]
        /// The id of the tablet that the follower hears.
        var chosen: String?
        /// The number of offers ever made, which orders them.
        var count = 0
    }

    private struct Offer {
        var number: Int
        var secret: SignInToken
        /// The id of the account.
        var owner: String
        var person: String
        var name: String
        var rate: Int
        var processing: [String: String]
        var stream: MicrophoneStream
        /// The seconds that were lost before the tablet began again.
        var lostBefore = 0.0
        var delayMilliseconds = 0
        var newestSound: ContinuousClock.Instant
        let lease: QuotaLease
    }

    init(input: (any RemoteMicrophoneInput)?) { self.input = input }

    private var showRate: SampleRate { input?.rate ?? SampleRate(hertz: 48_000) }

    /// A tablet's description of itself.
    struct Description: Sendable {
        var owner: String
        var person: String
        var name: String
        var rate: Int
        var processing: [String: String]
    }

    /// Takes a tablet's offer, or goes on with an earlier one after the tablet was away.
    func offer(
        _ tablet: Description, resuming old: (id: String, secret: String)?, holder: ResourceQuota.Holder,
        now: ContinuousClock.Instant = .now
    ) throws(ResourceQuota.Refusal) -> (id: String, secret: String) {
        let stream = MicrophoneStream(rate: tablet.rate, showRate: showRate, now: now)
        let resumed = state.withLock { state -> Bool in
            guard let old, let secret = SignInToken(shown: old.secret), let known = state.offers[old.id],
                known.secret == secret, known.owner == tablet.owner
            else { return false }
            state.offers[old.id]?.lostBefore += known.stream.lostSeconds
            state.offers[old.id]?.stream = stream
            state.offers[old.id]?.rate = tablet.rate
            state.offers[old.id]?.processing = tablet.processing
            state.offers[old.id]?.newestSound = now
            // The new count begins now, whatever silence was heard meanwhile.
            if state.chosen == old.id { input?.feed.begin() }
            return true
        }
        if resumed, let old { return old }
        removeIdle(now: now)
        let lease = try quota.takePlace(holder)
        let (id, secret) = (String(SignInToken.random().text.prefix(22)), SignInToken.random())
        state.withLock { state in
            state.count += 1
            state.offers[id] = Offer(
                number: state.count, secret: secret, owner: tablet.owner, person: tablet.person,
                name: tablet.name, rate: tablet.rate, processing: tablet.processing, stream: stream,
                newestSound: now, lease: lease)
        }
        return (id, secret.text)
    }

    /// Hears the blocks of a tablet.
    /// - Parameter delay: milliseconds from the capture of the newest sample to its arrival, as the tablet estimates.
    /// - Returns: true if the tablet is the show's microphone; nil if it does not offer it any more.
    func hear(
        _ blocks: [SoundBlock], of id: String, secret: String, owner: String, delay: Int,
        now: ContinuousClock.Instant = .now
    ) throws(BlockSequencer.Fault) -> Bool? {
        let outcome = state.withLock { state -> Result<Bool?, BlockSequencer.Fault> in
            guard let shown = SignInToken(shown: secret), let offer = state.offers[id], offer.owner == owner,
                offer.secret == shown
            else { return .success(nil) }
            let feed = state.chosen == id ? input?.feed : nil
            state.offers[id]?.newestSound = now
            state.offers[id]?.delayMilliseconds = delay
            feed?.delayNanoseconds = Int64(delay) * 1_000_000
            do throws(BlockSequencer.Fault) {
                try state.offers[id]?.stream.hear(blocks, now: now) { feed?.write($0) }
            } catch { return .failure(error) }
            return .success(feed != nil)
        }
        return try outcome.get()
    }

    /// Ends an offer. If the tablet is the show's microphone, it stays chosen and is silent, until a person chooses the
    /// server's own input or the tablet comes back.
    /// - Returns: false if there is no such offer.
    func withdraw(_ id: String, secret: String, owner: String) -> Bool {
        state.withLock { state in
            guard let shown = SignInToken(shown: secret), let offer = state.offers[id], offer.owner == owner,
                offer.secret == shown
            else { return false }
            if state.chosen != id { state.offers[id] = nil }
            return true
        }
    }

    /// Makes a tablet the show's microphone.
    /// - Parameter owner: the account whose tablets may be chosen; nil for all.
    func choose(
        _ id: String, ofOwner owner: String?, now: ContinuousClock.Instant = .now
    ) throws(Refusal) {
        guard let input else { throw .noShow }
        let outcome = state.withLock { state -> Result<Void, Refusal> in
            guard let offer = state.offers[id], owner == nil || offer.owner == owner else {
                return .failure(.notOffered)
            }
            if let chosen = state.chosen {
                return chosen == id
                    ? .success(()) : .failure(.taken(state.offers[chosen]?.name ?? "Another tablet"))
            }
            guard now - offer.newestSound <= Self.choosableFor else {
                return .failure(.silent(offer.name))
            }
            state.chosen = id
            input.feed.begin()
            input.hearRemote(named: "\(offer.name) (\(offer.person))")
            return .success(())
        }
        try outcome.get()
    }

    /// Goes back to the server's own input.
    /// - Parameter owner: the account whose tablet may be sent away; nil for all.
    func chooseOwnInput(ofOwner owner: String?) throws(Refusal) {
        let isDone = state.withLock { state -> Bool in
            guard let chosen = state.chosen else { return true }
            guard owner == nil || state.offers[chosen]?.owner == owner else { return false }
            state.chosen = nil
            input?.hearOwn()
            return true
        }
        if !isDone { throw .notYours }
    }

    /// The offers of an account.
    func ids(ofOwner owner: String) -> Set<String> {
        state.withLock { state in Set(state.offers.filter { $0.value.owner == owner }.keys) }
    }

    /// Ends the offers from which no sound has come for a while.
    func removeIdle(now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            let chosen = state.chosen
            state.offers = state.offers.filter {
                $0.key == chosen || now - $0.value.newestSound <= Self.idleLimit
            }
        }
    }

    /// The tablets and the choice, as the console and the tablets get them.
    /// - Parameter refusal: the sentence why no tablet can be chosen now; nil if one can.
    func section(refusal: String?, now: ContinuousClock.Instant = .now) -> MicrophonesSection {
        let late = input.map { Double($0.feed.lateSamples) / $0.rate.hertz } ?? 0
        return state.withLock { state in
            MicrophonesSection(
                own: input?.ownName ?? "", chosen: state.chosen, refusal: refusal,
                lateSeconds: roundedToThousandths(late),
                offers: state.offers.sorted { $0.value.number < $1.value.number }.map { id, offer in
                    let isSilent = now - offer.newestSound > Self.silentAfter
                    return MicrophonesSection.Offer(
                        id: id, name: offer.name, person: offer.person, rate: offer.rate,
                        isChosen: id == state.chosen, isSilent: isSilent,
                        peakDb: MicrophonesSection.decibels(isSilent ? 0 : offer.stream.peak),
                        rmsDb: MicrophonesSection.decibels(
                            isSilent ? 0 : offer.stream.meanSquare.squareRoot()),
                        lostSeconds: roundedToThousandths(offer.lostBefore + offer.stream.lostSeconds),
                        delayMs: offer.delayMilliseconds, processing: offer.processing)
                })
        }
    }
}
