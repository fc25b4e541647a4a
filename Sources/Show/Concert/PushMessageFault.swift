import Basics

/// A field of a push message whose text a person writes.
public enum PushMessageField: String, Hashable, Sendable {
    case title
    case body
    case buttonText = "button text"
}
