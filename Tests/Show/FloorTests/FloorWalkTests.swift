import Basics
import Floor
import Foundation
import Testing

/// Random conferences: whatever happens, there is never a second holder.
@Suite struct FloorWalkTests {
    private struct EventMaker {
        var random: SeededRandomGenerator
        var made = 0

        mutating func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

        mutating func presenter() -> FloorPresenter.ID { id(UInt8(draw(0...6))) }

        mutating func event(_ state: FloorState) -> FloorEvent {
            made += 1
            switch draw(0...19) {
            case 0...2:
                let name = "P\(draw(0...5))"
                return .register(name: name, address: "m\(draw(0...1))", connection: "\(made)")
            case 3:
                return .connectionLost(
                    connection: state.presenters.randomElement(using: &random)?.connection ?? "none")
            case 4...5:
                return .documentReady(
                    document: FloorDocument(
                        id: "d\(draw(0...9) == 0 ? 1 : made)", owner: presenter(), name: "v\(draw(0...2))",
                        kind: draw(0...1) == 0 ? .slides : .video, pages: draw(0...4)))
            case 6...9: return .moderator(action: moderatorAction())
            default:
                // Mostly the holder acts.
                let who = draw(0...2) > 0 ? state.holder ?? presenter() : presenter()
                return .presenter(id: who, action: presenterAction())
            }
        }

        private mutating func seconds() -> Int? { [nil, 0, 1, 5, 90][draw(0...4)] }

        private mutating func colour() -> FloorScreen.Blank { [.none, .black, .white][draw(0...2)] }

        private mutating func moderatorAction() -> ModeratorAction {
            switch draw(0...13) {
            case 0...2: .grant(to: presenter())
            case 3...4: .lend(to: presenter(), seconds: seconds())
            case 5: .takeFloor(name: "boss")
            case 6: .endLoan
            case 7: .withdraw
            case 8: .declineRequest(of: presenter())
            case 9: .setDoNotDisturb(isOn: draw(0...1) == 0)
            case 10: .blank(colour: colour())
            case 11: .playVideo(isOn: draw(0...1) == 0)
            case 12: .moveVideo(seconds: [-30, 10, .max][draw(0...2)])
            default: draw(0...3) == 0 ? .remove(presenter: presenter()) : .stop
            }
        }

        private mutating func presenterAction() -> PresenterAction {
            switch draw(0...17) {
            case 0: draw(0...5) == 0 ? .unregister : .requestFloor
            case 1...2: .requestFloor
            case 3: .recallLoan(afterSeconds: seconds() ?? 256)
            case 4: .nextPage
            case 5: .previousPage
            case 6: .goToPage(number: draw(0...5))
            case 7: .blank(colour: colour())
            case 8: .handOver(to: presenter())
            case 9...10: .lend(to: presenter(), seconds: seconds())
            case 11: .returnFloor
            case 12: .playVideo(name: "v\(draw(0...2))")
            case 13: .pauseVideo
            case 14: .stopVideo
            case 15: .seekVideo(seconds: [0, 3.5, -1, .nan][draw(0...3)])
            case 16: .setDoNotDisturb(isOn: draw(0...1) == 0)
            default: .annotate(type: 1, base64: "AA==")
            }
        }
    }

    /// The floor as somebody knows it who sees only the effects.
    private struct Watcher {
        var holder: FloorPresenter.ID?
        var epoch = FloorEpoch(term: 1)
        var screen = FloorScreen()

        /// - Parameter holdsBack: true if requests are held back after the event that had these effects.
        mutating func see(_ effects: [FloorEffect], holdsBack: Bool = false) {
            for effect in effects {
                switch effect {
                case .holderChanged(let from, let to, let new):
                    #expect(from == holder)
                    #expect(new > epoch && to != from || new >= epoch && to == from)
                    (holder, epoch) = (to, new)
                case .screenChanged(let new): screen = new
                case .announceRequest(let asker, let told):
                    #expect(told == holder && asker != told && !holdsBack)
                default: break
                }
            }
        }
    }

    private static func check(_ state: FloorState) {
        let ids = state.presenters.map(\.id)
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        if let holder = state.holder { #expect(ids.contains(holder)) }
        if let loan = state.loan { #expect(ids.contains(loan.lender) && state.holder != loan.lender) }
        #expect(Set(state.requests.map(\.presenter)).count == state.requests.count)
        #expect(state.requests.allSatisfy { ids.contains($0.presenter) && $0.presenter != state.holder })
        #expect(
            Set(state.presenters.compactMap(\.connection)).count
                == state.presenters.count { $0.connection != nil })
        #expect(
            state.presenters.allSatisfy {
                ($0.connection == nil) == ($0.absentSince != nil) || $0.id == .moderator
            })
        for presenter in state.presenters {
            guard let document = presenter.document else { continue }
            #expect(state.document(document)?.owner == presenter.id)
        }
        switch state.screen.content {
        case .nothing: break
        case .page(let document, let page):
            #expect(state.document(document).map { (1...$0.pages).contains(page) } ?? false)
        case .video(let document, let seconds, _, let isPlaying):
            #expect(state.document(document)?.kind == .video && seconds >= 0)
            if isPlaying { #expect(state.screen.presenter == state.holder) }
        }
    }

    @Test(arguments: UInt64(1)...6)
    func aRandomConferenceNeverHasTwoHolders(_ seed: UInt64) throws {
        var maker = EventMaker(random: SeededRandomGenerator(seed: seed))
        var floor = Floor(term: 1)
        var (replay, watcher, now, done) = (floor, Watcher(), Int64(0), 0)
        for step in 0..<4_000 {
            now += Int64([0, 5, 100, 1_000, 4_000, 20_000][maker.draw(0...5)])
            let due = floor.advance(toMilliseconds: now)
            #expect(replay.advance(toMilliseconds: now) == due)
            #expect(floor.nextDue.map { $0 > now } ?? true)
            watcher.see(due)
            if maker.draw(0...150) == 0 {
                watcher.see(floor.resume(atMilliseconds: now))
                _ = replay.resume(atMilliseconds: now)
            }
            if maker.draw(0...300) == 0 {
                let term = floor.state.epoch.term + 1
                watcher.see(floor.adoptTerm(term, atMilliseconds: now))
                _ = replay.adoptTerm(term, atMilliseconds: now)
            }
            let event = maker.event(floor.state)
            let before = floor.state
            do {
                let effects = try floor.process(event, atMilliseconds: now)
                done += 1
                watcher.see(effects, holdsBack: floor.state.holdsRequestsBack)
                #expect(try replay.process(event, atMilliseconds: now) == effects)
            } catch {
                #expect(floor.state == before && !error.sentence.isEmpty)
            }
            Self.check(floor.state)
            #expect(watcher.holder == floor.state.holder && watcher.epoch == floor.state.epoch)
            #expect(watcher.screen == floor.state.screen)
            if step % 20 == 0 {
                let written = try JSONEncoder().encode(floor.state)
                floor = Floor(continuing: try JSONDecoder().decode(FloorState.self, from: written))
                #expect(floor.state == replay.state)
            }
        }
        #expect(done > 1_000, "it went everywhere")
    }
}
