import WidgetWorker

/// The messages of the benchmarks: first a create for each widget, then updates of rollouts in a fixed mix.
///
/// Half of the updates carry all that a rollout reports, 38 % value and subtitle, 6 % remove a member with null, 6 % add
/// one; 1.5 % are wrong in six ways. Message `index` depends on its index alone.
struct MessageMix {
    let widgets: Int
    /// How many of the widgets are updated at all.
    let hot: Int
    /// Of a thousand updates, so many are wrong.
    let wrong: Int

    private static let services = ["web-api", "billing", "search-indexer", "media-café", "auth \\\"edge\\\"", "ledger"]
    private static let regions = ["eu-west-1", "us-east-2", "ap-south-1", "sa-east-1"]
    private static let colors = ["blue", "green", "orange", "red", "purple", "teal"]

    func message(_ index: Int) -> Message {
        var random = SplitMix(seed: UInt64(index))
        let widget = index < widgets ? index : Int(random.next() % UInt64(hot))
        let body = index < widgets ? create(widget, &random) : update(widget, &random)
        var message = Message()
        message.exchange = "widgets.updates"
        message.routingKey = "default.rollout-\(Self.padded(widget, 6))"
        message.type = index < widgets ? "widget.create" : nil
        message.contentType = "application/json"
        message.body = Array(body.utf8)
        return message
    }

    private func create(_ widget: Int, _ random: inout SplitMix) -> String {
        let content = full(widget, &random) + #","icon":"arrow.up.circle","accent_color":"\#(Self.colors[widget % 6])""#
        return #"{"slug":"rollout-\#(Self.padded(widget, 6))","name":"Rollout","content":{\#(content)}}"#
    }

    private func update(_ widget: Int, _ random: inout SplitMix) -> String {
        let slug = #""slug":"rollout-\#(Self.padded(widget, 6))""#
        if random.next() % 1000 < UInt64(wrong) { return wrong(slug, &random) }
        let value = fraction(&random)
        switch random.next() % 100 {
        case 0..<50: return #"{\#(slug),"content":{\#(full(widget, &random))}}"#
        case 50..<88: return #"{\#(slug),"content":{"value":\#(value),\#(subtitle(&random))}}"#
        case 88..<94: return #"{\#(slug),"content":{"value":\#(value),"expired_text":null}}"#
        default:
            let hour = Self.padded(Int(random.next() % 24), 2)
            return
                #"{\#(slug),"content":{"value":\#(value),"expired_text":"Paused by on-call, resumes at \#(hour):00"}}"#
        }
    }

    private func full(_ widget: Int, _ random: inout SplitMix) -> String {
        let step = Int(random.next() % 41)
        let rows = #"{"label":"Pods","value":"\#(step)/40"},{"label":"Errors","value":"0.\#(Self.padded(step, 2))%"}"#
        return
            #""template":"progress","value":\#(fraction(&random)),"label":"Rollout of \#(Self.services[widget % 6])","#
            + subtitle(&random) + #","stat_rows":[\#(rows),{"label":"ETA","value":"\#(41 - step)m"}]"#
    }

    private func subtitle(_ random: inout SplitMix) -> String {
        let region = Self.regions[Int(random.next() % 4)]
        return #""subtitle":"Step \#(random.next() % 41) of 40 · canary in \#(region)""#
    }

    private func wrong(_ slug: String, _ random: inout SplitMix) -> String {
        let value = fraction(&random)
        switch random.next() % 6 {
        case 0: return #"{\#(slug),"content":{"template":"progress","value":1.2,"label":"Rollout"}}"#
        case 1: return #"{\#(slug),"content":{"value":"\#(value)","subtitle":"Step 3 of 40"}}"#
        case 2: return #"{\#(slug),"content":{"value":null}}"#
        case 3: return #"{\#(slug),"content":{"value":\#(value),"stat_rows":[{"label":"Pods"}]}}"#
        case 4: return #"{"slug":"another","content":{"value":\#(value)}}"#
        default: return #"{\#(slug),"content":{"value":\#(value),"subtitle":"cut off"#
        }
    }

    private func fraction(_ random: inout SplitMix) -> String {
        let thousandths = Int(random.next() % 1001)
        return "\(thousandths / 1000).\(Self.padded(thousandths % 1000, 3))"
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A generator that a seed determines (Steele, Lea, Flood 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
