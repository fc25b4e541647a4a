/// An error with a sentence for people: what is wrong, where, and what to do.
public protocol Explained: Error {
    var sentence: String { get }
}

/// An error that only people tell from others, or programs by its code.
public struct ExplainedError: Explained, Hashable, Sendable {
    public var sentence: String
    /// A code by which a program tells this error from others; nil if only people read it.
    public var code: String?

    public init(_ sentence: String, code: String? = nil) { (self.sentence, self.code) = (sentence, code) }
}

#if !hasFeature(Embedded)
    extension Error {
        /// The sentence of an ``Explained`` error; of another, what it says of itself.
        public var explanation: String { (self as? any Explained)?.sentence ?? "\(self)" }
    }
#endif
