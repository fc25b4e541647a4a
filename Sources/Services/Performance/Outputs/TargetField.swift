/// One target in the console's section `targets`: where something is sent, and whether it arrives.
struct TargetField: Encodable {
    var kind: String
    var name: String
    var ok: Bool
    var detail: String
}
