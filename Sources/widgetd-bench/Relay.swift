import CRelay
import WidgetAMQP

/// The bare relay in this process, and its probe of latencies.
struct Relay {
    let address: AMQPAddress

    private func withBroker<Result>(_ body: (UnsafePointer<relay_broker>) -> Result) -> Result {
        unsafe address.host.withCString { host in
            unsafe address.user.withCString { user in
                unsafe address.password.withCString { password in
                    unsafe address.virtualHost.withCString { virtualHost in
                        var broker = unsafe relay_broker(
                            host: host, port: Int32(address.port), user: user, password: password,
                            virtual_host: virtualHost)
                        return unsafe body(&broker)
                    }
                }
            }
        }
    }

    /// Moves `count` messages.
    /// - Returns: messages a second, and microseconds of CPU a message.
    func run(_ route: Route, count: Int, prefetch: Int) -> (rate: Double, cpu: Double) {
        let figures = unsafe withBroker { broker in
            unsafe route.queue.withCString { queue in
                unsafe route.exchange.withCString { exchange in
                    unsafe route.key.withCString { key in
                        var route = unsafe relay_route(
                            queue: queue, exchange: exchange, routing_key: key, persistent: route.isPersistent,
                            as_fan_out: route.asFanOut)
                        return unsafe relay_run(broker, &route, UInt64(count), UInt32(prefetch))
                    }
                }
            }
        }
        return (Double(count) / figures.seconds, figures.microseconds / Double(count))
    }

    struct Route {
        var queue: String
        var exchange: String
        var key: String
        var isPersistent = true
        var asFanOut = false
    }

    /// Milliseconds from the moment at which each of `count` messages was due to its result, shortest first.
    func latencies(
        exchange: String, key: String, results: String, isPersistent: Bool, count: Int, perSecond: Double
    ) throws -> [Double] {
        var latencies = [Double](repeating: -1, count: count)
        unsafe withBroker { broker in
            unsafe exchange.withCString { exchange in
                unsafe key.withCString { key in
                    unsafe results.withCString { results in
                        var probe = unsafe relay_probe(
                            exchange: exchange, routing_key: key, result_queue: results, persistent: isPersistent,
                            count: UInt64(count), per_second: perSecond)
                        unsafe relay_measure(broker, &probe, &latencies)
                    }
                }
            }
        }
        guard latencies.allSatisfy({ $0 >= 0 }) else {
            throw BenchmarkFailure("\(latencies.count { $0 < 0 }) of \(count) messages gave no result")
        }
        return latencies.sorted()
    }
}
