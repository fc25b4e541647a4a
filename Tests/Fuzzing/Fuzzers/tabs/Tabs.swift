import FuzzDriver
import TabFiles
import Tablature

@testable import TabExchange

/// Tabs in all formats that are read here; the first byte chooses one, so that none has to be guessed. What is accepted
/// can be written in all formats; as tab JSON and as a property list it comes back unchanged.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    guard let tab = try? read(bytes, choice: start.pointee) else { return 0 }
    let exchange = TabExchange()
    for format in [TabFormat.ascii, .musicXML, .midi] {
        guard let written = try? exchange.write(tab, as: format) else {
            preconditionFailure("what was accepted cannot be written")
        }
        switch format {
        case .ascii: _ = try? ASCIITabReader.read(written.bytes, name: "again")
        case .musicXML: _ = try? MusicXMLReader.read(written.bytes, name: "again")
        default: _ = try? MIDITabReader.read(written.bytes, name: "again")
        }
    }
    guard let json = try? TabJSON.write(tab), let again = try? TabJSON.read(json, name: "again") else {
        preconditionFailure("what was accepted is refused after it was written")
    }
    precondition(again == tab, "a tab changes when it is written")
    guard let list = try? TabPropertyList.write(tab),
        let fromList = try? TabPropertyList.read(list, name: "again")
    else { preconditionFailure("what was accepted is refused as a property list") }
    precondition(fromList.struckNotes == tab.struckNotes, "notes change in a property list")
    return 0
}

private func read(_ bytes: [UInt8], choice: UInt8) throws -> Tab {
    let name = "tab"
    let tab =
        switch choice % 6 {
        case 0: try ASCIITabReader.read(bytes, name: name).tab
        case 1: try MIDITabReader.read(bytes, name: name).tab
        case 2: try MusicXMLReader.read(bytes, name: name).tab
        case 3: try GPIFReader.read(bytes, name: name).tab
        case 4: try TabPropertyList.read(bytes, name: name)
        default: try TabJSON.read(bytes, name: name)
        }
    let bounded = tab.withinLimits()
    try TabCheck.check(bounded)
    return bounded
}

@_cdecl("tabs_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
