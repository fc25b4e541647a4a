/// Shares out a limited resource: a total, shares for one address and for one account, and a reserve for technicians
/// and administrators.
///
/// Pure: the caller says who takes and who returns a place. A signed-in technician or administrator is not limited by
/// address, so that other visitors from the same address cannot take their places.
public struct ResourceQuota: Sendable {
    public struct Shares: Equatable, Sendable {
        public var total: Int
        /// The part of the total that is closed to everybody who may not use it.
        public var reserve: Int
        /// The limit for one address, for visitors who may not use the reserve.
        public var perAddress: Int
        public var perAccount: Int

        public init(total: Int, reserve: Int = 0, perAddress: Int = .max, perAccount: Int = .max) {
            self.total = total
            self.reserve = min(max(reserve, 0), total)
            self.perAddress = perAddress
            self.perAccount = perAccount
        }

        /// Places that everybody may use.
        var open: Int { total - reserve }
        /// Half of the open places: a suspicious address leaves the other half to the others.
        var doubtful: Int { (open + 1) / 2 }
        /// Half of the reserve: the other half stays for visitors who are known.
        var presumed: Int { reserve / 2 }
        var presumedPerAddress: Int { reserve == 0 ? 0 : max(1, reserve / 8) }
    }

    public enum Standing: Sendable, CaseIterable {
        /// Comes from an address with recent misconduct, such as guessing a passphrase.
        case doubtful
        /// Everybody: listeners, musicians, editors.
        case anybody
        /// Not signed in yet, but at an address from which somebody who may use the reserve signed in before.
        case presumed
        /// A signed-in technician or administrator.
        case staff
        /// Not signed in yet, on the machine that the server runs on.
        case ownMachine

        var mayUseReserve: Bool { self == .presumed || self == .staff || self == .ownMachine }
    }

    public struct Holder: Hashable, Sendable {
        /// The network that counts as one address; see ``SignInGuard/network(of:)``.
        public let network: String
        /// The signed-in account; nil while nobody is signed in.
        public let account: String?
        public let standing: Standing

        /// - Parameter address: numeric; an IPv6 address is counted by its network of 64 bits.
        public init(address: String, account: String? = nil, standing: Standing = .anybody) {
            network = SignInGuard.network(of: address)
            self.account = account
            self.standing = standing
        }

        /// A holder that is limited by its account alone.
        public init(account: String) {
            network = ""
            self.account = account
            standing = .anybody
        }

        /// - Parameter isOwnMachine: true if the request comes from the machine that the server runs on.
        init(address: String, person: WebPerson?, isOwnMachine: Bool) {
            switch person {
            // If the server requires no sign-in, every visitor is on this machine.
            case .some(.local): self.init(address: address, standing: .ownMachine)
            case .some(let person):
                let runsTheEvening = WebRole.operators.contains(person.role)
                self.init(address: address, account: person.id, standing: runsTheEvening ? .staff : .anybody)
            case .none: self.init(address: address, standing: isOwnMachine ? .ownMachine : .anybody)
            }
        }
    }

    public enum Refusal: Error, Equatable, Sendable {
        /// No place is free, or only places of the reserve.
        case full
        case addressHasItsShare(Int)
        case accountHasItsShare(Int)
    }

    public let shares: Shares
    public private(set) var count = 0
    /// Taken places of those who may not use the reserve.
    private(set) var open = 0
    private var doubtful = 0
    private(set) var presumed = 0
    private var addresses: [String: Int] = [:]
    private var presumedAddresses: [String: Int] = [:]
    private var accounts: [String: Int] = [:]

    public init(_ shares: Shares) { self.shares = shares }

    public mutating func take(_ holder: Holder) throws(Refusal) {
        if let account = holder.account, accounts[account, default: 0] >= shares.perAccount {
            throw .accountHasItsShare(shares.perAccount)
        }
        switch holder.standing {
        case .doubtful, .anybody:
            guard addresses[holder.network, default: 0] < shares.perAddress else {
                throw .addressHasItsShare(shares.perAddress)
            }
            guard open < shares.open else { throw .full }
            if holder.standing == .doubtful, doubtful >= shares.doubtful { throw .full }
        case .presumed:
            guard presumedAddresses[holder.network, default: 0] < shares.presumedPerAddress else {
                throw .addressHasItsShare(shares.presumedPerAddress)
            }
            guard presumed < shares.presumed else { throw .full }
        case .staff, .ownMachine: break
        }
        guard count < shares.total else { throw .full }
        add(1, to: holder)
    }

    /// Frees one unit of the quota.
    /// - Parameter holder: the same value that took the unit.
    public mutating func giveBack(_ holder: Holder) { add(-1, to: holder) }

    /// Transfers a place to another holder; if that is refused, nothing changes.
    public mutating func pass(_ holder: Holder, to next: Holder) throws(Refusal) {
        add(-1, to: holder)
        do throws(Refusal) { try take(next) } catch {
            add(1, to: holder)
            throw error
        }
    }

    private mutating func add(_ change: Int, to holder: Holder) {
        count += change
        if !holder.standing.mayUseReserve {
            open += change
            Self.add(change, to: &addresses[holder.network])
        }
        if holder.standing == .doubtful { doubtful += change }
        if holder.standing == .presumed {
            presumed += change
            Self.add(change, to: &presumedAddresses[holder.network])
        }
        if let account = holder.account { Self.add(change, to: &accounts[account]) }
        assert(count >= 0 && open >= 0, "a place was given back that nobody had")
    }

    private static func add(_ change: Int, to number: inout Int?) {
        let sum = (number ?? 0) + change
        number = sum == 0 ? nil : sum
    }
}

extension ResourceQuota.Refusal {
    /// The answer for a refused request.
    /// - Parameter things: the counted things, in the plural.
    func answer(_ things: String) -> WebResponse {
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
