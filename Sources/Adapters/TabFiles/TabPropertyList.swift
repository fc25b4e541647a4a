import Basics
import Foundation
import Platform
import Tablature

/// A tab as an XML property list. It has the fields of tab JSON: objects are `dict`, lists are `array`, whole numbers
/// `integer`, others `real`, and fractions are `string`.
public enum TabPropertyList {
    /// - Throws: ``ExplainedError``.
    public static func read(_ bytes: [UInt8], name: String) throws(ExplainedError) -> Tab {
        let root = try XMLNode.parse(bytes, name)
        guard root.name == "plist", let value = root.children.first, value.name == "dict" else {
            throw ExplainedError(
                "\(name) is no XML property list with a tab; convert it with baton tab convert.")
        }
        var json: [UInt8] = []
        try append(value, to: &json, name)
        return try TabJSON.read(json, name: name)
    }

    public static func write(_ tab: Tab) throws(ExplainedError) -> [UInt8] {
        let object: Any
        do { object = try JSONSerialization.jsonObject(with: Data(try TabJSON.write(tab))) } catch {
            throw ExplainedError("The tab cannot be written as a property list: \(error).")
        }
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        write(object, indent: "", to: &text)
        return Array((text + "</plist>\n").utf8)
    }

    // MARK: To JSON

    private static func append(_ node: XMLNode, to json: inout [UInt8], _ name: String) throws(ExplainedError)
    {
        switch node.name {
        case "dict":
            json += "{".utf8
            for index in stride(from: 0, to: node.children.count, by: 2) {
                guard index + 1 < node.children.count, node.children[index].name == "key" else {
                    throw ExplainedError(
                        "\(name) has a dict whose keys and values are not in pairs; export it again.")
                }
                if index > 0 { json += ",".utf8 }
                json += quoted(node.children[index].text)
                json += ":".utf8
                try append(node.children[index + 1], to: &json, name)
            }
            json += "}".utf8
        case "array":
            json += "[".utf8
            for (index, child) in node.children.enumerated() {
                if index > 0 { json += ",".utf8 }
                try append(child, to: &json, name)
            }
            json += "]".utf8
        case "string": json += quoted(node.text)
        case "integer", "real":
            guard let number = Double(node.text), number.isFinite else {
                throw ExplainedError("\(name) has “\(node.text.prefix(40))” for a number; export it again.")
            }
            json += (Int(node.text).map { "\($0)" } ?? "\(number)").utf8
        case "true", "false": json += node.name.utf8
        default:
            throw ExplainedError(
                "\(name) has the value <\(node.name.prefix(40))>, which a tab does not use; export it again.")
        }
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var result: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
            case 0x0A: result += "\\n".utf8
            case 0x09: result += "\\t".utf8
            case 0x0D: result += "\\r".utf8
            case 0..<0x20: break
            default: result.append(byte)
            }
        }
        return result + [UInt8(ascii: "\"")]
    }

    // MARK: From JSON

    private static func write(_ value: Any, indent: String, to text: inout String) {
        switch value {
        case let object as [String: Any]:
            text += "\(indent)<dict>\n"
            for (key, each) in object.sorted(by: { $0.key < $1.key }) {
                text += "\(indent)\t<key>\(XMLText.escaped(key))</key>\n"
                write(each, indent: indent + "\t", to: &text)
            }
            text += "\(indent)</dict>\n"
        case let list as [Any]:
            text += "\(indent)<array>\n"
            for each in list { write(each, indent: indent + "\t", to: &text) }
            text += "\(indent)</array>\n"
        case let string as String: text += "\(indent)<string>\(XMLText.escaped(string))</string>\n"
        case let number as NSNumber:
            if CFBooleanLike.isBoolean(number) {
                text += "\(indent)<\(number.boolValue ? "true" : "false")/>\n"
            } else if number.doubleValue == number.doubleValue.rounded(), abs(number.doubleValue) < 1e15 {
                text += "\(indent)<integer>\(number.int64Value)</integer>\n"
            } else {
                text += "\(indent)<real>\(number.doubleValue)</real>\n"
            }
        default: break
        }
    }

    private enum CFBooleanLike {
        /// JSONSerialization makes booleans of the Objective-C type of a character.
        static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
    }
}

/// Text inside XML that is written here.
enum XMLText {
    /// The text without characters that XML forbids.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
