import Dispatch
import Foundation
import Hosting
import NetworkLinks

/// An event of `baton watch`: a packet, a timer or an interruption.
package enum PacketWatchEvent: Sendable {
    case datagram(ReceivedDatagram)
    /// Sent four times a second, so that the displayed ages and rates stay correct while no packets arrive.
    case refresh
    case timeIsUp
    case interrupted

    package static func makeEventStream(from receiver: MulticastReceiver, for seconds: Double?)
        -> AsyncStream<
            PacketWatchEvent
        >
    {
        AsyncStream(bufferingPolicy: .bufferingNewest(1_024)) { continuation in
            let hearing = Task {
                for await datagram in receiver { continuation.yield(.datagram(datagram)) }
                continuation.finish()
            }
            let refresh = Task {
                while (try? await Task.sleep(for: .milliseconds(250))) != nil { continuation.yield(.refresh) }
            }
            let timer = seconds.map { seconds in
                Task {
                    if (try? await Task.sleep(for: .seconds(seconds))) != nil {
                        continuation.yield(.timeIsUp)
                    }
                }
            }
            // The signal sources are not changed after this, only cancelled, which any thread may do.
            nonisolated(unsafe) let signals = [SIGINT, SIGTERM].map { number in
                // The default action would end the process and leave the terminal's cursor hidden.
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield(.interrupted) }
                source.resume()
                return source
            }
            continuation.onTermination = { _ in
                hearing.cancel()
                refresh.cancel()
                timer?.cancel()
                for source in signals { source.cancel() }
            }
        }
    }
}
