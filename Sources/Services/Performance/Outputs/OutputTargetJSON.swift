/// One target in the console's section `targets`: the address to which something is sent, and whether it arrives.
struct OutputTargetJSON: Encodable {
    var kind: String
    var name: String
    var ok: Bool
    /// True if the receiver has confirmed that it is there; packets and most OSC programs never confirm.
    var answers: Bool
    var detail: String
    /// Of an OSC target: its `host:port`, with `tcp:` or `slip:` before it for TCP.
    var address: String?
    /// True if it was added on the console, which may remove it.
    var isAdded: Bool?
}
