/// The table of contents of a compressed MusicXML file.
public enum MusicXMLContainer {
    /// The path of the first score that it names; nil if it names none.
    public static func scorePath(_ bytes: [UInt8], name: String) throws(TabFileError) -> String? {
        guard bytes.count <= 1_000_000 else {
            throw TabFileError("\(name) has a table of contents that is too long.")
        }
        let root = try SafeXML.parse(bytes, name)
        return root["rootfiles"]?.children.lazy.compactMap { $0.attributes["full-path"] }.first
    }

    public static func text(scorePath: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <container>
          <rootfiles>
            <rootfile full-path="\(XMLText.escaped(scorePath))" media-type="application/vnd.recordare.musicxml+xml"/>
          </rootfiles>
        </container>

        """
    }
}
