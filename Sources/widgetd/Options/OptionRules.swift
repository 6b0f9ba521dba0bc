import WidgetAMQP
import WidgetAdmin
import WidgetContract
import WidgetTime

/// What is wanted of options whose values have rules of their own; `nil` for a legal value.
enum OptionRules {
    static let account: @Sendable (String) -> String? = { text in
        AddressPattern.account.matches(text) ? nil : "must match \(AddressPattern.account.expression)"
    }

    static let slug: @Sendable (String) -> String? = { text in
        AddressPattern.slug.matches(text) ? nil : "must match \(AddressPattern.slug.expression)"
    }

    static let since: @Sendable (String) -> String? = { text in
        PastTime.read(text, now: 0) == nil
            ? "must be a time ago, such as 90s, 30m, 2h or 1d, or an RFC 3339 date-time" : nil
    }

    static let time: @Sendable (String) -> String? = { text in
        DateTimeText.read(Array(text.utf8)[...]) == nil
            ? "must be an RFC 3339 date-time such as 2026-11-30T12:00:00Z" : nil
    }

    static let store: @Sendable (String) -> String? = { text in
        switch StoreAddress.read(text) {
        case .success: nil
        case .failure(let fault): fault.wanted
        }
    }

    /// A store that another process can look into.
    static let readableStore: @Sendable (String) -> String? = { text in
        text == "memory:"
            ? "must be sqlite:PATH or redis://…, for a store in memory is its worker's alone" : store(text)
    }

    static let file: @Sendable (String) -> String? = { text in
        if case .success(.sqlite) = StoreAddress.read(text) { nil } else { "must be sqlite:PATH" }
    }

    static let server: @Sendable (String) -> String? = { text in
        switch StoreAddress.read(text) {
        case .success(.redis): nil
        case .success: "must be redis://…"
        case .failure(let fault): fault.wanted
        }
    }

    static let brokers: @Sendable (String) -> String? = { text in
        do {
            _ = try AMQPAddress.list(text)
            return nil
        } catch {
            return "is no list of brokers: \(error)"
        }
    }

    static let brokerName: @Sendable (String) -> String? = { text in
        (1...255).contains(text.utf8.count) ? nil : "must be a name of 1 to 255 bytes"
    }

    static let shards: @Sendable (String) -> String? = { text in
        ShardList(text) == nil
            ? "must be all, or numbers of shards from 0 to \(ShardList.mostShards - 1) such as 0,2-3" : nil
    }

    static let admin: @Sendable (String) -> String? = { text in
        text == "off" || AdminAddress(text) != nil ? nil : "must be ADDRESS:PORT or off"
    }
}
