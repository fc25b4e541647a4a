/// Where something is sent to, and whether it arrives: one line of the console's section `targets`.
struct TargetField: Encodable {
    var kind: String
    var name: String
    var ok: Bool
    var detail: String
}
