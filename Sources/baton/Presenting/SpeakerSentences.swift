import PresentingProtocol

/// The refusals of the protocol, as sentences for speakers.
enum SpeakerSentences {
    static func refusal(_ code: UInt8) -> String {
        switch code {
        case 1: "You do not have the floor; ask for it."
        case 2: "There is no such speaker, or the speaker is not connected."
        case 3: "The server has no slides of yours; send them."
        case 4: "There is no such slide."
        case 5:
            "This cannot be done now: a borrowed floor cannot be handed on, and you cannot hand it to yourself."
        case 6: "The server does not accept this number."
        case 7: "The server does not know this signal."
        case 8: "The server is busy, is the backup, or cannot write; try again in a moment."
        default: "The server refused it, with the code \(code)."
        }
    }

    static let connectionLost =
        "The connection was lost before the answer, so nobody knows whether this was done; look at the screen."
    static let notConnected = "There is no connection at the moment, so nothing was done."
    static let slidesRefused =
        "The connection ended twice while the slides were sent: the server cannot show this file, has no room for it, or "
        + "the network is too bad. It takes PDFs without a password, up to 200 MB and 1,000 pages."
    static let videoRefused =
        "The server has ended the connection: you do not have the floor, or there is no such video on the screen or of "
        + "yours. The program connects again by itself."
    static let videoNotTaken =
        "The video has not arrived: it is no MP4, WebM or Ogg, the server has no room for it, or the network broke."
    static let sending = "The slides are being sent; signals have to wait until the server has them."

    static func fault(_ fault: PresentingClient.Fault, at endpoints: [PresentingClient.Endpoint]) -> String {
        let place = endpoints.map { "\($0.address):\($0.port)" }.joined(separator: " and ")
        return switch fault {
        case .unreachable(let reason):
            "No server for speakers answers at \(place) (\(reason)); start it with baton serve --present, or name "
                + "its address."
        case .closed:
            "\(place) ended the connection without an answer: it is a backup that is not active, has as many "
                + "connections as it takes, or is no server for speakers."
        case .refused(true):
            "\(place) refuses the name: its code is missing or wrong; ask the moderator, and give it with --code."
        case .refused(false):
            "\(place) cannot register you: all its 254 numbers are taken, it is busy, or it is a backup that is "
                + "not active."
        case .wrongServer: "\(place) is no server for speakers; give the address of baton serve --present."
        case .removed:
            "The server has removed you: the moderator did, or another program on this machine took your name."
        case .stayedAway:
            "The server has not answered for a minute, so your number and the floor are given up."
        }
    }

    static func fault(_ fault: SlidesFile.Fault, of path: String) -> String {
        switch fault {
        case .unreadable(let reason): "“\(path)” cannot be read (\(reason)); check its name and permissions."
        case .noPDF: "“\(path)” is no PDF; export the slides as PDF."
        case .tooLarge(let bytes, let limit):
            "“\(path)” has \(bytes / 1_000_000) MB; the server takes up to \(limit / 1_000_000) MB. Export it with "
                + "smaller pictures."
        }
    }

    /// A name without what could control a terminal.
    static func printable(_ name: String) -> String {
        String(
            String.UnicodeScalarView(name.unicodeScalars.filter { $0.properties.generalCategory != .control })
        )
    }
}
