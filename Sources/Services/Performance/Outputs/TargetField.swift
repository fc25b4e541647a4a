/// Where something is sent to, and whether it arrives: one line of the console's section `targets`.
package struct TargetField: Encodable {
    package var kind: String
    package var name: String
    var ok: Bool
    var detail: String
}
