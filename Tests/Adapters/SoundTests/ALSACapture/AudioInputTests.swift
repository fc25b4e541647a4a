import Basics
import Glibc
import Testing

@testable import Sound

/// The life of an input, told by a device that does what its script says.
@Suite struct AudioInputTests {
    @Test(arguments: [1, 100, 480, 481, 1000, 3840])
    func periodsOfAnySizeArriveWhole(frames: Int) throws {
        let play = try play([
            .opens(DeviceLife(steps: [.frames(frames, of: 16_384), .frames(frames, of: 16_384)]))
        ])
        #expect(play.sink.arrivals == [.samples(2 * frames, of: 0.5)])
        #expect(play.status.capturedFrames == 2 * frames)
        #expect(play.status.lostFrames == 0)
        #expect(play.status.state == .idle)
        #expect(play.driver.openStreams == 0)
    }

    @Test func theStampIsTheInstantOfTheLastSampleNotOfTheReading() throws {
        let play = try play([.opens(DeviceLife(steps: [.backlog(960, of: 1)]))])
        // 10 ms after the start, with 20 ms still in the device.
        #expect(play.sink.stamps == [1_000_000_000_000 - 10_000_000])
    }

    @Test(arguments: [EPIPE, ESTRPIPE])
    func anOverrunIsMendedAndItsLengthHeardAsSilence(code: Int32) throws {
        let play = try play([
            .opens(
                DeviceLife(steps: [
                    .frames(480, of: 16_384), .waitFails(code, afterMilliseconds: 100),
                    .frames(480, of: 16_384),
                ]))
        ])
        #expect(play.sink.arrivals == [.samples(480, of: 0.5), .silence(4800), .samples(480, of: 0.5)])
        #expect(play.status.overruns == 1)
        #expect(play.status.lostFrames == 4800)
        #expect(play.status.deviceLosses == 0)
        #expect(play.status.newestErrno == code)
    }

    @Test func anOverrunFoundWhileReadingIsMendedToo() throws {
        let play = try play([
            .opens(DeviceLife(steps: [.frames(480, of: 1), .readFails(EPIPE), .frames(480, of: 1)]))
        ])
        #expect(play.status.overruns == 1)
        #expect(play.status.capturedFrames == 960)
    }

    @Test(arguments: [ENODEV, ENOENT, EIO, EBADFD])
    func aDeviceThatGoesAwayIsFoundAgainByNameAndTheGapIsAccountedFor(code: Int32) throws {
        let absent = CaptureError.deviceNotOpened(device: "default", code: ENOENT)
        let play = try play([
            .opens(DeviceLife(steps: [.frames(480, of: 16_384), .waitFails(code, afterMilliseconds: 10)])),
            .fails(absent), .fails(absent), .fails(absent),
            .opens(DeviceLife(startMilliseconds: 40, steps: [.frames(480, of: -16_384)])),
        ])
        // 10 ms to notice; attempts after 250, 500, 1000 and again 1000 ms; 40 ms until it delivers.
        let gap = (10 + 250 + 500 + 1000 + 1000 + 40) * 48
        #expect(play.sink.arrivals == [.samples(480, of: 0.5), .silence(gap), .samples(480, of: -0.5)])
        #expect(play.status.deviceLosses == 1)
        #expect(play.status.reopenAttempts == 4)
        #expect(play.status.reopenings == 1)
        #expect(play.status.lostFrames == gap)
        #expect(play.driver.requests.allSatisfy { $0.device == "default" })
        #expect(play.driver.requests.last?.rate == SampleRate(hertz: 48_000))
        #expect(play.driver.openStreams == 0)
    }

    @Test func silenceComesWhileTheDeviceIsAwayNotAfterwards() throws {
        let play = try play([
            .opens(DeviceLife(steps: [.frames(480, of: 1), .waitFails(ENODEV, afterMilliseconds: 0)])),
            .opens(DeviceLife(steps: [.frames(480, of: 1)])),
        ])
        // 250 ms in steps of 50, between one block and the next.
        let gaps = zip(play.sink.stamps, play.sink.stamps.dropFirst()).map { $1 - $0 }
        #expect(gaps.count == 6)
        #expect(gaps.allSatisfy { $0 <= 50_100_000 })
    }

    @Test func aSilentStallIsALoss() throws {
        let stall = Array(repeating: DeviceStep.nothing(milliseconds: 100), count: 31)
        let play = try play([
            .opens(DeviceLife(steps: [.frames(480, of: 1)] + stall)),
            .opens(DeviceLife(steps: [.frames(480, of: 1)])),
        ])
        #expect(play.status.deviceLosses == 1)
        #expect(play.status.newestErrorText == "Connection timed out")
        #expect(play.status.lostFrames == (3100 + 250) * 48)
    }

    @Test func aLossIsReportedBeforeTheDeviceIsClosed() throws {
        let driver = ScriptedDriver([
            .opens(DeviceLife(steps: [.frames(480, of: 1), .waitFails(ENODEV, afterMilliseconds: 0)])),
            .opens(DeviceLife(steps: [.frames(480, of: 1)])),
        ])
        let input = try AudioInput(CaptureRequest(), streamOpener: driver, clock: driver.clock)
        var states: [CaptureStatus.State] = []
        driver.whenClosing = { states.append(input.status.state) }
        input.run(into: RecordingSink()) { !driver.isOver }
        #expect(states.first == .lost)
    }

    @Test func endlessOverrunsAreALossNotABusyLoop() throws {
        let storm = Array(repeating: DeviceStep.waitFails(EPIPE, afterMilliseconds: 0), count: 30)
        let play = try play([
            .opens(DeviceLife(steps: [.frames(480, of: 1)] + storm)),
            .opens(DeviceLife(steps: [.frames(480, of: 1)])),
        ])
        #expect(play.status.overruns == 21)
        #expect(play.status.deviceLosses == 1)
        #expect(play.status.reopenings == 1)
    }

    @Test func aDeviceThatCannotBeMendedIsLost() throws {
        let play = try play([
            .opens(DeviceLife(recoverCode: -ENODEV, steps: [.waitFails(EPIPE, afterMilliseconds: 5)])),
            .opens(DeviceLife(steps: [.frames(480, of: 1)])),
        ])
        #expect(play.status.overruns == 1)
        #expect(play.status.deviceLosses == 1)
        #expect(play.status.newestErrno == ENODEV)
    }

    @Test func emptyPromisesPassTheTimeInsteadOfTheProcessor() throws {
        let play = try play([.opens(DeviceLife(steps: Array(repeating: .emptyPromise, count: 50)))])
        #expect(play.status.capturedFrames == 0)
        #expect(play.elapsedNanoseconds >= 50_000_000)
    }

    /// The null device never runs dry: without a pause its thread would leave the processor to nobody.
    @Test func aDeviceFasterThanTimeIsHeardAtTheSpeedOfTime() throws {
        let play = try play([.opens(DeviceLife(steps: Array(repeating: .atOnce(3840, of: 0), count: 1_000)))])
        let heard = Double(play.status.capturedFrames) / 48_000
        #expect(play.status.capturedFrames == 3_840_000 && play.status.deviceLosses == 0)
        #expect(Double(play.elapsedNanoseconds) / 1e9 > 0.95 * heard)
    }

    /// Crystals differ: a device half a per cent fast is never held up, however long the evening.
    @Test func aDeviceThatRunsALittleFastIsNotHeldUp() throws {
        let play = try play([.opens(DeviceLife(steps: Array(repeating: .frames(482, of: 1), count: 100_000)))]
        )
        #expect(play.status.capturedFrames == 48_200_000 && play.status.lostFrames == 0)
        // 10 ms a step, and the 100 ms in which the script ends.
        #expect(play.elapsedNanoseconds == 1_000_100_000_000)
    }

    @Test func interruptionsAreNothing() throws {
        let play = try play([
            .opens(DeviceLife(steps: [.waitFails(EINTR, afterMilliseconds: 0), .frames(480, of: 1)]))
        ])
        #expect(play.status.overruns == 0)
        #expect(play.status.capturedFrames == 480)
    }

    @Test func aDeviceThatReturnsWithAnotherRateStaysLost() throws {
        var slower = DeviceLife(steps: [.frames(441, of: 1)])
        slower.format.rate = SampleRate(hertz: 44_100)
        let play = try play([
            .opens(DeviceLife(steps: [.frames(480, of: 1), .waitFails(ENODEV, afterMilliseconds: 0)])),
            .opens(slower),
        ])
        #expect(play.status.capturedFrames == 480)
        #expect(play.status.reopenings == 0)
        #expect(play.driver.openStreams == 0)
    }

    @Test func aDeviceMayReturnWithOtherPeriodsAndChannels() throws {
        var wider = DeviceLife(steps: [.frames(2000, of: 16_384)])
        wider.format.channelCount = 6
        wider.format.periodFrames = 1024
        let play = try play([
            .opens(DeviceLife(steps: [.frames(480, of: 16_384), .waitFails(ENODEV, afterMilliseconds: 0)])),
            .opens(wider),
        ])
        #expect(play.sink.arrivals.last == .samples(2000, of: 0.5))
    }

    @Test func aDeviceThatWillNotStartIsLookedForAgain() throws {
        let play = try play([
            .opens(DeviceLife(startCode: -EIO)),
            .opens(DeviceLife(startCode: -EIO)),
            .opens(DeviceLife(steps: [.frames(480, of: 1)])),
        ])
        #expect(play.status.deviceLosses == 2)
        #expect(play.status.reopenings == 1)
        #expect(play.status.capturedFrames == 480)
    }

    @Test func theFirstOpeningThrows() {
        let busy = CaptureError.deviceNotOpened(device: "default", code: EBUSY)
        #expect(throws: busy) { try play([.fails(busy)]) }
    }

    @Test func levelsAreReadable() throws {
        let loud = try play([.opens(DeviceLife(steps: [.frames(480, of: 16_384), .frames(480, of: .min)]))])
            .level
        #expect(loud.peak == 1)
        #expect(loud.rms == 1)
        #expect(loud.clippedSamples == 480)
        #expect(loud.silentFor == .zero)

        let fading = try play([.opens(DeviceLife(steps: [.frames(480, of: 16_384), .frames(480, of: 0)]))])
            .level
        #expect(fading.peak == 0)
        // 10 ms at 20 dB a second: 0.2 dB.
        #expect(abs(fading.heldPeak - 0.5 * Float(pow(10, -0.2 / 20))) < 0.001)
        #expect(fading.silentFor == Seconds(0.01))
    }

    private struct Play {
        var sink: RecordingSink
        var status: CaptureStatus
        var level: LevelMeter.Reading
        var driver: ScriptedDriver
        var elapsedNanoseconds: Int64
    }

    /// Runs an input over the openings until the last script is over.
    private func play(_ openings: [ScriptedDriver.Opening]) throws -> Play {
        let driver = ScriptedDriver(openings)
        let input = try AudioInput(CaptureRequest(), streamOpener: driver, clock: driver.clock)
        let sink = RecordingSink()
        let start = driver.clock.now()
        input.run(into: sink) { !driver.isOver }
        return Play(
            sink: sink, status: input.status, level: input.meter.readLevels(), driver: driver,
            elapsedNanoseconds: driver.clock.now() - start)
    }
}
