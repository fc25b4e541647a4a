/// A tab for practising, without its content.
public struct StoredPracticeTab: Equatable, Sendable {
    public let id: String
    /// The id of the account that owns the tab; `local` on a server without sign-in.
    public let account: String
    /// The owner's name when the tab was last saved.
    public let owner: String
    public let title: String
    /// Counts the changes of the tab, from 1.
    public let version: Int
    /// True if every signed-in person may read the tab.
    public let isShared: Bool
    public let byteCount: Int
    public let changedAtMilliseconds: Int64
}

/// A change that somebody wants to save.
public struct PracticeTabChange: Sendable {
    public var id: String
    public var account: String
    public var owner: String
    public var title: String
    public var content: [UInt8]
    public var isShared: Bool
    /// The version that the change was made from; 0 for a new tab.
    public var baseVersion: Int

    public init(
        id: String, account: String, owner: String, title: String, content: [UInt8], isShared: Bool,
        baseVersion: Int
    ) {
        self.id = id
        self.account = account
        self.owner = owner
        self.title = title
        self.content = content
        self.isShared = isShared
        self.baseVersion = baseVersion
    }
}

/// Limits of the stored tabs. Bytes are those of the contents.
public struct PracticeTabLimits: Equatable, Sendable {
    public var tabsOfAccount: Int
    public var bytesOfAccount: Int
    /// All tabs of all accounts.
    public var totalBytes: Int

    public init(tabsOfAccount: Int, bytesOfAccount: Int, totalBytes: Int) {
        self.tabsOfAccount = tabsOfAccount
        self.bytesOfAccount = bytesOfAccount
        self.totalBytes = totalBytes
    }
}

/// The place where a change was saved.
public enum SavedPracticeTab: Equatable, Sendable {
    case saved(id: String, version: Int)
    /// Somebody saved a newer version meanwhile: the change is now a tab of its own.
    case savedAsCopy(id: String, version: Int)
    case tooManyTabs(Int)
    case accountFull(bytes: Int)
    case storageFull(bytes: Int)
}
