public import WidgetTelemetry

/// Tells a log that keeps debug entries of each rejection, with what finds its trace. Payloads stay out.
public struct RejectionLog: WorkerObserver {
    private let log: Log

    public init(_ log: Log) {
        self.log = log
    }

    public func changed(_ readiness: Readiness) {}

    public func turned(_ measures: WorkerMeasures) {}

    public func stored(_ outcomes: OutcomeBatch) {
        guard log.keeps(.debug) else { return }
        outcomes.visit { outcome in
            guard outcome.destination == .rejected else { return }
            func text(_ text: OutcomeText) -> String { outcome[text].map { String(decoding: $0, as: UTF8.self) } ?? "" }
            log.debug(
                "rejected",
                [
                    "code": text(.code), "account": text(.account), "slug": text(.slug), "message_id": text(.messageID),
                    "traceparent": text(.traceparent), "tracestate": text(.tracestate),
                ])
        }
    }
}
