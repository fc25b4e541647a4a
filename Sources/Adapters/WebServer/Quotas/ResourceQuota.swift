/// Shares out the places of a limited resource: a total, limits for one address and for one account, a reserve for
/// technicians and administrators, and places for devices that are known.
///
/// The caller says who takes and who returns a place. Signed-in technicians and administrators are not limited by
/// address, so that other visitors at the same address cannot take their places.
public struct ResourceQuota: Sendable {
    /// The numbers of places: in all, in reserve, and for each address and account.
    public struct Limits: Equatable, Sendable {
        public var total: Int
        /// The number of places, out of the total, that only technicians, administrators and the server's own machine
        /// may use.
        public var reserve: Int
        /// The maximum number of places for one address. It applies to visitors who may not use the reserve.
        public var perAddress: Int
        public var perAccount: Int
        /// The number of places, out of the total, for devices that are known, such as the hall's own screens.
        public var known: Int

        public init(
            total: Int, reserve: Int = 0, known: Int = 0, perAddress: Int = .max, perAccount: Int = .max
        ) {
            self.total = total
            self.reserve = min(max(reserve, 0), total)
            self.known = min(max(known, 0), total - self.reserve)
            self.perAddress = perAddress
            self.perAccount = perAccount
        }

        /// The number of the resource's places for anybody.
        var unreservedTotal: Int { total - reserve - known }
        /// The number of places that all suspicious addresses together may take: half of the unreserved places.
        var suspiciousLimit: Int { (unreservedTotal + 1) / 2 }
        /// The number of reserved places for visitors who are only presumed to be staff: half of the reserve. The
        /// other half is left for staff who are signed in.
        var presumedStaffLimit: Int { reserve / 2 }
        var presumedStaffPerAddress: Int { reserve == 0 ? 0 : max(1, reserve / 8) }

        /// The number of places that a visitor has if nobody else has any.
        func largestShare(of holder: Holder) -> Int {
            let share =
                switch holder.trustLevel {
                case .suspicious: min(perAddress, suspiciousLimit)
                case .anybody: min(perAddress, unreservedTotal)
                case .known: min(perAddress, known == 0 ? unreservedTotal : known)
                case .presumedStaff: min(presumedStaffPerAddress, presumedStaffLimit)
                case .staff, .ownMachine: total
                }
            return holder.account == nil ? share : min(share, perAccount)
        }
    }

    /// The trust in a visitor, which decides the places that the visitor may take.
    public enum TrustLevel: Sendable, CaseIterable {
        /// The visitor's address has shown recent misconduct, such as guessing a passphrase.
        case suspicious
        /// The visitor has no special rights: a listener, musician or editor.
        case anybody
        /// The visitor's device is known; see ``KnownDevice``.
        case known
        /// The visitor has not signed in, but a technician or administrator signed in from the same address before.
        case presumedStaff
        /// The visitor is a technician or administrator who has signed in.
        case staff
        /// The visitor has not signed in, but uses the machine on which the server runs.
        case ownMachine

        var mayUseReserve: Bool { self == .presumedStaff || self == .staff || self == .ownMachine }
    }

    /// The visitor who takes a place.
    public struct Holder: Hashable, Sendable {
        /// The visitor's address, or the IPv6 network that counts as one address; see ``SignInGuard/network(of:)``.
        public let network: String
        /// The id of the signed-in account; nil if nobody is signed in.
        public let account: String?
        public let trustLevel: TrustLevel
        /// The device, if it is known.
        public let device: KnownDevice?

        /// - Parameter address: a numeric address. An IPv6 address is counted by its network of 64 bits.
        public init(address: String, account: String? = nil, trustLevel: TrustLevel = .anybody) {
            network = SignInGuard.network(of: address)
            self.account = account
            self.trustLevel = trustLevel
            device = nil
        }

        /// A known device.
        public init(address: String, device: KnownDevice) {
            network = SignInGuard.network(of: address)
            account = nil
            trustLevel = .known
            self.device = device
        }

        /// A holder that is limited only by its account, not by an address.
        public init(account: String) {
            network = ""
            self.account = account
            trustLevel = .anybody
            device = nil
        }

        /// - Parameter isOwnMachine: true if the request comes from the machine on which the server runs.
        init(address: String, person: WebPerson?, isOwnMachine: Bool) {
            switch person {
            // If the server requires no sign-in, only visitors on this machine can reach it.
            case .some(.localVisitor): self.init(address: address, trustLevel: .ownMachine)
            case .some(let person):
                let runsTheEvening = WebRole.evening.contains(person.role)
                self.init(
                    address: address, account: person.id, trustLevel: runsTheEvening ? .staff : .anybody)
            case .none: self.init(address: address, trustLevel: isOwnMachine ? .ownMachine : .anybody)
            }
        }
    }

    /// The reason why no place was given.
    public enum Refusal: Error, Equatable, Sendable {
        /// No place is free, or only reserved places that this visitor may not use.
        case full
        case addressHasItsShare(Int)
        case accountHasItsShare(Int)
    }

    public let limits: Limits
    public private(set) var takenCount = 0
    /// The number of places taken by visitors who may not use the reserve.
    private(set) var unreservedTakenCount = 0
    private var suspiciousTakenCount = 0
    private(set) var knownTakenCount = 0
    private var knownCountByAddress: [String: Int] = [:]
    private(set) var presumedStaffTakenCount = 0
    private var takenCountByAddress: [String: Int] = [:]
    private var presumedStaffCountByAddress: [String: Int] = [:]
    private var takenCountByAccount: [String: Int] = [:]

    public init(_ shares: Limits) { self.limits = shares }

    /// Takes a place, or several at once.
    public mutating func takePlace(_ holder: Holder, count: Int = 1) throws(Refusal) {
        if let account = holder.account, takenCountByAccount[account, default: 0] > limits.perAccount - count
        {
            throw .accountHasItsShare(limits.perAccount)
        }
        switch trustLevel(of: holder) {
        case .known:
            guard knownCountByAddress[holder.network, default: 0] <= limits.perAddress - count else {
                throw .addressHasItsShare(limits.perAddress)
            }
            guard knownTakenCount <= limits.known - count else { throw .full }
        case .suspicious, .anybody:
            guard takenCountByAddress[holder.network, default: 0] <= limits.perAddress - count else {
                throw .addressHasItsShare(limits.perAddress)
            }
            guard unreservedTakenCount <= limits.unreservedTotal - count else { throw .full }
            if holder.trustLevel == .suspicious, suspiciousTakenCount > limits.suspiciousLimit - count {
                throw .full
            }
        case .presumedStaff:
            guard
                presumedStaffCountByAddress[holder.network, default: 0]
                    <= limits.presumedStaffPerAddress - count
            else {
                throw .addressHasItsShare(limits.presumedStaffPerAddress)
            }
            guard presumedStaffTakenCount <= limits.presumedStaffLimit - count else { throw .full }
        case .staff, .ownMachine: break
        }
        guard takenCount <= limits.total - count else { throw .full }
        changeTakenCounts(count, to: holder)
    }

    /// Frees places.
    /// - Parameters:
    ///   - holder: the same value with which the places were taken.
    ///   - count: the number of places that were taken at once.
    public mutating func giveBackPlace(_ holder: Holder, count: Int = 1) {
        changeTakenCounts(-count, to: holder)
    }

    /// Transfers a place to another holder. If the new holder is refused, nothing changes.
    public mutating func transferPlace(_ holder: Holder, to next: Holder) throws(Refusal) {
        changeTakenCounts(-1, to: holder)
        do throws(Refusal) { try takePlace(next) } catch {
            changeTakenCounts(1, to: holder)
            throw error
        }
    }

    /// Where no places are for known devices, they are like anybody.
    private func trustLevel(of holder: Holder) -> TrustLevel {
        holder.trustLevel == .known && limits.known == 0 ? .anybody : holder.trustLevel
    }

    private mutating func changeTakenCounts(_ change: Int, to holder: Holder) {
        takenCount += change
        let trustLevel = trustLevel(of: holder)
        if trustLevel == .known {
            knownTakenCount += change
            Self.changeCount(change, to: &knownCountByAddress[holder.network])
        } else if !trustLevel.mayUseReserve {
            unreservedTakenCount += change
            Self.changeCount(change, to: &takenCountByAddress[holder.network])
        }
        if holder.trustLevel == .suspicious { suspiciousTakenCount += change }
        if holder.trustLevel == .presumedStaff {
            presumedStaffTakenCount += change
            Self.changeCount(change, to: &presumedStaffCountByAddress[holder.network])
        }
        if let account = holder.account { Self.changeCount(change, to: &takenCountByAccount[account]) }
        assert(takenCount >= 0 && unreservedTakenCount >= 0, "a place was given back that nobody had")
    }

    private static func changeCount(_ change: Int, to number: inout Int?) {
        let sum = (number ?? 0) + change
        number = sum == 0 ? nil : sum
    }
}

extension ResourceQuota.Refusal {
    /// The HTTP response for a refused visitor.
    /// - Parameter things: the kind of resource in the plural, for example `screens`, for the sentence.
    func makeRefusalResponse(_ things: String) -> WebResponse {
        switch self {
        case .full:
            .refused(503, "full", "Too many \(things) are connected; close one and try again.")
        case .addressHasItsShare(let most):
            .refused(
                503, "full",
                "\(most) \(things) are connected from your network address, the most one may have; "
                    + "close one and try again.")
        case .accountHasItsShare(let most):
            .refused(
                409, "too-many",
                "\(most) \(things) are open with your account, the most there may be; "
                    + "close one of them, then open this one again.")
        }
    }
}
