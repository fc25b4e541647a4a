/// One target in the console's section `targets`: the address to which something is sent, and whether it arrives.
struct OutputTargetJSON: Encodable {
    var kind: String
    var name: String
    var ok: Bool
    var detail: String
}
