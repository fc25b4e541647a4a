/// A device that was here before, such as a screen of the hall, by a mark that the server gave it.
///
/// Anybody gets a mark with the first visit, but nobody an earlier one: the device that is known for longer takes
/// precedence. So strangers, however many, keep out nobody who was here before them.
public struct KnownDevice: Hashable, Sendable {
    /// Names the device among all; nothing else is known about it.
    public let id: UInt64
    /// Milliseconds since 1970; 0 for a device at which somebody with an account has signed in.
    public let since: Int64

    public init(id: UInt64, since: Int64) { (self.id, self.since) = (id, since) }

    /// After this time a device is one of the house. One without a mark that somebody has set up by its name counts as
    /// known for just as long.
    static let houseAfterMilliseconds: Int64 = 10 * 60_000
}

/// What a request tells about its device.
public struct RecognisedDevice: Equatable, Sendable {
    /// Nil for a device that is here for the first time.
    public var known: KnownDevice?
    /// True for a device at which somebody with an account has signed in, that was set up by its name, or that is known
    /// for ten minutes.
    public var isOfTheHouse = false
    /// The mark that the device should keep from now on; nil if it has the right one.
    public var newMark: String?

    public init(known: KnownDevice? = nil, isOfTheHouse: Bool = false, newMark: String? = nil) {
        (self.known, self.isOfTheHouse, self.newMark) = (known, isOfTheHouse, newMark)
    }
}
