import Basics
import Platform

/// The show's sound input, which can hear another device instead of the server's own.
package protocol RemoteMicrophoneInput: Sendable {
    /// Takes the sound of the other device, at ``rate``, one channel.
    var feed: RemoteSoundFeed { get }
    var rate: SampleRate { get }
    /// The server's own device or file, for people.
    var ownName: String { get }
    /// Hears the other device from now on.
    /// - Parameter name: its name for people.
    func hearRemote(named name: String)
    /// Hears the server's own device or file again.
    func hearOwn()
}
