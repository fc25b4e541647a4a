/// One target in the console's section `targets`: where something is sent, and whether it arrives.
package struct TargetField: Encodable {
    package var kind: String
    package var name: String
    var ok: Bool
    var detail: String
}
