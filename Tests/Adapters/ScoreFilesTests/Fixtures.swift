import Basics
import Score
import Testing

@testable import ScoreFiles

/// One small good file of every format; the same six measures, 1 to 4 with 3 and 4 repeated, where it can say so.
enum Fixture {
    static let csv = "measure,time\n1,0.5\n2,2.5\n3,4.25\n4,6\n3,8.125\n4,10\nend,12\n"

    static let audacity =
        "0.500000\t0.500000\t1\n\\\t120.0\t3000.0\n2.500000\t2.500000\tm2\n4.250000\t5.000000\tbar 3\n"
        + "6.000000\t6.000000\t4\n8.125000\t8.125000\tTakt 3\n10.000000\t10.000000\t\n12.000000\t12.000000\tend\n"

    static let sonicVisualiser =
        "0.500000000,1\n2.500000000,2\n4.250000000,3\n6.000000000,4\n8.125000000,3\n10.000000000,4\n12.0,end\n"

    static let beats =
        "0.25\t0.25\tb,3/4,2\n0.5\t0.5\tdb\n1.1\t1.1\tb\n1.8\t1.8\tb\n2.5\t2.5\tdb\n3.1\t3.1\tbR\n4.25\t4.25\tdb,4/4\n"

    static let harmonix =
        "0.25\t3\t0\n0.5\t1\t1\n1.5\t2\t1\n2.5\t1\t2\n3.4\t2\t2\n4.25\t1\t3\n5.1\t2\t3\n6.0\t1\t4\n"

    static let content = """
        <?xml version="1.0" encoding="UTF-8"?>
        <concert>
          <piece id="1" xmlns:x="urn:x" x:kind=''>
            <!-- the <second> version --><name>Weber, Oberon: Ouvertüre &amp; Marsch</name>
            <measures>6</measures>
            <track><name>NumSeconds</name>
              <page><time>0.5</time><measure>1</measure><text>0.5</text></page>
              <page><time>2.5</time><measure>2</measure><text>2.5</text></page>
              <page><time>4.25</time><measure>3</measure><text>4.25</text></page>
              <page><time>6</time><measure>4</measure><text>6</text></page>
              <page><time>8.125</time><measure>3</measure><text>8.125</text></page>
              <page><time>10</time><measure>4</measure><text>10</text></page>
            </track>
            <track><name>The Music</name>
              <page><time>4</time><measure>3</measure><text><![CDATA[Here <comes> the horn]]></text></page>
            </track>
            <track><name>Structure</name>
              <page><time>0.5</time><measure>1</measure><text>A,blue</text></page>
              <page><time>12</time><measure>4</measure><text>END</text></page>
            </track>
          </piece>
        </concert>

        """

    static let all: [(format: MeasureTimesFormat, text: String)] = [
        (.csv, csv), (.audacity, audacity), (.sonicVisualiser, sonicVisualiser), (.beats, beats),
        (.harmonix, harmonix), (.content, content),
    ]

    static let sixMeasures = marks([(1, 0.5), (2, 2.5), (3, 4.25), (4, 6), (3, 8.125), (4, 10)])
}

func marks(_ rows: [(printed: Int, seconds: Double)]) -> [PlayedMeasure] {
    rows.map { PlayedMeasure(printed: $0.printed, onset: ReferenceTime(seconds: $0.seconds)) }
}

/// Reads a text as if it were the file `times`.
func read(
    _ text: String, as format: MeasureTimesFormat? = nil, piece: String? = nil
) throws(MeasureTimesError) -> MeasureTimes {
    try MeasureTimesFileReader.parse(
        Array(text.utf8), path: "times", format: format.map { .specified($0) } ?? .automatic, piece: piece)
}

/// The error of a row of the file `times`.
func row(_ line: Int, _ fault: MeasureTimesError.RowFault) -> MeasureTimesError {
    .invalidRow(path: "times", line: line, fault: fault)
}

/// The error of a place in the XML file `times`.
func xml(_ line: Int, _ fault: ContentFileError.XMLFault) -> MeasureTimesError {
    .invalidXML(path: "times", line: line, fault: fault)
}
