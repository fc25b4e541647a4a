import Basics
import Hosting
import Platform
import Synchronization
import Testing
import WebServer

@testable import Students

/// A show's input that notes what it was told.
private final class NotedInput: RemoteMicrophoneInput {
    let feed = RemoteSoundFeed(capacity: 1 << 17)
    let rate: SampleRate
    let ownName = "USB Audio"
    let heard = Mutex<[String?]>([])

    init(hertz: Double = 48_000) { rate = SampleRate(hertz: hertz) }

    func hearRemote(named name: String) { heard.withLock { $0.append(name) } }
    func hearOwn() { heard.withLock { $0.append(nil) } }

    func waitingSamples() -> [Float] {
        var buffer = [Float](repeating: 0, count: 1 << 17)
        let count = buffer.withUnsafeMutableBufferPointer { feed.read(into: $0) }
        return Array(buffer.prefix(count))
    }
}

@Suite struct ShowMicrophonesTests {
    private let start = ContinuousClock.now

    @Test(arguments: [
        ("Stage\r\nleft", "Stage left"), ("\u{202E}tfel", "tfel"), ("\u{0}\n", "Tablet"), (nil, "Tablet"),
        (String(repeating: "x", count: 59) + " y", String(repeating: "x", count: 59)),
    ])
    func aTabletsNameIsOneLineThatShowsWhatItIs(text: String?, name: String) {
        #expect(StudentsService.tabletName(text) == name)
    }

    private func offer(
        _ microphones: ShowMicrophones, owner: String = "anna", rate: Int = 48_000,
        resuming old: (id: String, secret: String)? = nil, at seconds: Double = 0
    ) throws -> (id: String, secret: String) {
        try microphones.offer(
            ShowMicrophones.Description(
                owner: owner, person: owner, name: "\(owner)’s tablet", rate: rate, processing: [:]),
            resuming: old, holder: ResourceQuota.Holder(address: "192.0.2.1", account: owner),
            now: start + .seconds(seconds))
    }

    private func block(_ number: Int, of size: Int = 4_800, value: Int16 = 8_192) -> SoundBlock {
        SoundBlock(
            sequence: UInt32(number), firstSample: number * size,
            samples: [Int16](repeating: value, count: size))
    }

    private func hear(
        _ microphones: ShowMicrophones, _ blocks: [SoundBlock], _ tablet: (id: String, secret: String),
        owner: String = "anna", at seconds: Double = 0
    ) throws -> Bool? {
        try microphones.hear(
            blocks, of: tablet.id, secret: tablet.secret, owner: owner, delay: 120,
            now: start + .seconds(seconds))
    }

    @Test func onlyTheChosenTabletIsHeard() throws {
        let input = NotedInput()
        let microphones = ShowMicrophones(input: input)
        let (one, two) = (try offer(microphones), try offer(microphones, owner: "bert"))
        #expect(try hear(microphones, [block(0)], one) == false)
        #expect(input.waitingSamples() == [])
        try microphones.choose(one.id, ofOwner: nil, now: start)
        #expect(try hear(microphones, [block(1)], one) == true)
        #expect(try hear(microphones, [block(0)], two, owner: "bert") == false)
        #expect(input.waitingSamples() == [Float](repeating: 0.25, count: 4_800))
        #expect(input.heard.withLock { $0 } == ["anna’s tablet (anna)"])
        try microphones.chooseOwnInput(ofOwner: nil)
        #expect(try hear(microphones, [block(2)], one) == false)
        #expect(input.heard.withLock(\.last) == .some(nil))
    }

    @Test func aSecondTabletIsRefusedWithASentence() throws {
        let microphones = ShowMicrophones(input: NotedInput())
        let (one, two) = (try offer(microphones), try offer(microphones, owner: "bert"))
        try microphones.choose(one.id, ofOwner: nil, now: start)
        #expect(throws: Refusal.taken("anna’s tablet")) {
            try microphones.choose(two.id, ofOwner: nil, now: start)
        }
        #expect(Refusal.taken("anna’s tablet").sentence.contains("anna’s tablet"))
        // Choosing it again changes nothing.
        try microphones.choose(one.id, ofOwner: nil, now: start)
    }

    @Test func leadersChooseTheirOwnTabletOnly() throws {
        let microphones = ShowMicrophones(input: NotedInput())
        let (one, two) = (try offer(microphones), try offer(microphones, owner: "bert"))
        #expect(throws: Refusal.notOffered) {
            try microphones.choose(two.id, ofOwner: "anna", now: start)
        }
        try microphones.choose(one.id, ofOwner: "anna", now: start)
        #expect(throws: Refusal.notYours) { try microphones.chooseOwnInput(ofOwner: "bert") }
        try microphones.chooseOwnInput(ofOwner: "anna")
    }

    @Test func aTabletFromWhichNothingComesIsNotChosen() throws {
        let microphones = ShowMicrophones(input: NotedInput())
        let tablet = try offer(microphones)
        #expect(throws: Refusal.silent("anna’s tablet")) {
            try microphones.choose(tablet.id, ofOwner: nil, now: start + .seconds(6))
        }
    }

    @Test func missingBlocksAreCountedSilence() throws {
        let input = NotedInput()
        let microphones = ShowMicrophones(input: input)
        let tablet = try offer(microphones)
        try microphones.choose(tablet.id, ofOwner: nil, now: start)
        for number in [0] + Array(2...12) { _ = try hear(microphones, [block(number)], tablet, at: 2) }
        let samples = input.waitingSamples()
        #expect(samples.count == 13 * 4_800)
        #expect(Set(samples[4_800..<9_600]) == [0])
        #expect(Set(samples[9_600...]) == [0.25])
        let shown = microphones.section(refusal: nil, now: start + .seconds(2)).offers[0]
        #expect(shown.lostSeconds == 0.1)
        #expect(shown.delayMs == 120)
        #expect(abs(shown.peakDb + 12) < 0.1)
    }

    @Test(arguments: [16_000, 44_100, 96_000])
    func anotherRateBecomesThatOfTheShow(rate: Int) throws {
        let input = NotedInput(hertz: 22_050)
        let microphones = ShowMicrophones(input: input)
        let tablet = try offer(microphones, rate: rate)
        try microphones.choose(tablet.id, ofOwner: nil, now: start)
        for number in 0..<20 {
            _ = try hear(microphones, [block(number, of: rate / 10)], tablet, at: 2)
        }
        let samples = input.waitingSamples()
        // The filter still waits for what comes after the last sample.
        #expect((43_900...44_100).contains(samples.count), "\(samples.count)")
        #expect(abs(samples[22_050] - 0.25) < 0.01)
    }

    @Test func aTabletThatComesBackStaysChosenAndOwesNothing() throws {
        let input = NotedInput()
        let microphones = ShowMicrophones(input: input)
        let tablet = try offer(microphones)
        try microphones.choose(tablet.id, ofOwner: nil, now: start)
        _ = try hear(microphones, [block(0)], tablet)
        _ = input.waitingSamples()
        input.feed.noteSilence(count: 96_000)
        microphones.removeIdle(now: start + .seconds(100))
        #expect(
            microphones.section(refusal: nil, now: start + .seconds(100)).offers.map(\.isSilent) == [true])
        // The page was loaded again: its count begins anew.
        let again = try offer(microphones, resuming: tablet, at: 100)
        #expect(again == tablet)
        #expect(try hear(microphones, [block(0)], tablet, at: 100) == true)
        #expect(input.waitingSamples().count == 4_800)
    }

    @Test func offersWithoutSoundEndAndPlacesAreBounded() throws {
        let microphones = ShowMicrophones(input: NotedInput())
        let tablet = try offer(microphones)
        _ = try offer(microphones)
        #expect(throws: ResourceQuota.Refusal.accountHasItsShare(2)) { try offer(microphones) }
        for owner in ["bert", "carl", "dora"] { _ = try offer(microphones, owner: owner) }
        #expect(throws: ResourceQuota.Refusal.self) { try offer(microphones, owner: "emil") }
        // Twenty seconds later the places are free again.
        _ = try offer(microphones, owner: "emil", at: 21)
        #expect(try hear(microphones, [block(0)], tablet, at: 21) == nil)
    }

    @Test func soundOfTheFutureIsRefused() throws {
        let microphones = ShowMicrophones(input: NotedInput())
        let tablet = try offer(microphones)
        #expect(throws: BlockSequencer.Fault.tooFarAhead) { try hear(microphones, [block(700)], tablet) }
        #expect(try hear(microphones, [block(0)], (tablet.id, "wrong")) == nil)
        #expect(try hear(microphones, [block(0)], tablet, owner: "bert") == nil)
    }
}
