import Testing
import WidgetContract
import WidgetTestSupport

@testable import WidgetWorker

/// PROTOCOL's order: size, content type and encoding, type, repeat or conflict of the id, body required, malformed,
/// address, account binding, sequence, not found, invalid, limit.
struct `Of two faults the earlier decides` {
    /// A step of the order: what brings it about in a message, and its code.
    enum Step: Int, CaseIterable, Sendable {
        case size, contentType, encoding, type, conflict, bodyRequired, malformed, address, binding, sequence, notFound
        case invalid, limit

        var code: String {
            switch self {
            case .size: "message.too_large"
            case .contentType: "message.content_type_unsupported"
            case .encoding: "message.content_encoding_unsupported"
            case .type: "message.type_unknown"
            case .conflict: "message.id_conflict"
            case .bodyRequired: "request.body_required"
            case .malformed: "message.malformed"
            case .address: "message.address_conflict"
            case .binding: "account.forbidden"
            case .sequence: "widget.sequence_stale"
            case .notFound: "widget.not_found"
            case .invalid: "widget.invalid"
            case .limit: "widget.limit_exceeded"
            }
        }

        /// Two that no message can have at once: the body is empty or malformed or says something, a patch finds
        /// nothing or a create finds no room.
        static func exclude(_ one: Step, _ other: Step) -> Bool {
            let pair: Set<Step> = [one, other]
            let empty: Set<Step> = [.bodyRequired]
            return pair.isSuperset(of: empty) && !pair.isDisjoint(with: [.malformed, .invalid, .size])
                || pair == [.malformed, .invalid] || pair == [.notFound, .limit] || pair == [.notFound, .invalid]
                || pair == [.bodyRequired, .address] || pair == [.malformed, .address]
        }
    }

    private static let pairs: [(Step, Step)] = Step.allCases.flatMap { one in
        Step.allCases.filter { $0.rawValue > one.rawValue && !Step.exclude(one, $0) }.map { (one, $0) }
    }

    private func word(_ steps: Set<Step>) throws -> String {
        var limits = MessageLimits()
        limits.mostWidgets = 1
        limits.largestBody = 500
        limits.bindsAccountToUser = true
        let desk = Desk(limits)
        let known = #"{"name":"n","content":{"template":"value"}}"#
        // The account is full; `gone` was applied up to sequence 5 and deleted.
        for (type, sequence) in [("widget.create", 4), ("widget.delete", 5)] as [(String, Int64)] {
            try desk.send(
                .sample(
                    type == "widget.create" ? known : "", key: "acme.gone", type: type, user: "acme", sequence: sequence
                ))
        }
        try desk.send(.sample(known, key: "acme.live", type: "widget.create", id: "used", user: "acme"))
        let isPatch = steps.contains(.notFound)
        let name = steps.contains(.invalid) ? #""""# : #""n""#
        let slug = steps.contains(.address) ? "other" : "gone"
        var body = #"{"slug":"\#(slug)","name":\#(name),"content":{"template":"value"}}"#
        if steps.contains(.malformed) { body = #"{"slug":"gone","slug":1}"# }
        if steps.contains(.bodyRequired) { body = "" }
        if steps.contains(.size) { body += " " * 600 }
        return try desk.send(
            .sample(
                body, key: "acme.gone",
                type: steps.contains(.type) ? "widget.x" : isPatch ? "widget.patch" : "widget.create",
                id: steps.contains(.conflict) ? "used" : nil,
                contentType: steps.contains(.contentType) ? "text/plain" : nil,
                encoding: steps.contains(.encoding) ? "br" : nil, user: steps.contains(.binding) ? "guest" : "acme",
                sequence: steps.contains(.sequence) ? 5 : 6)
        ).word
    }

    @Test(arguments: Step.allCases)
    func `and a single one alone`(_ step: Step) throws {
        // A create into a full account is what the others stand on.
        #expect(try word([step]) == step.code)
        #expect(try word([]) == "widget.limit_exceeded")
    }

    @Test(arguments: pairs)
    func `in every pair`(_ one: Step, _ other: Step) throws {
        #expect(try word([one, other]) == one.code)
    }

    @Test func `also when all come together`() throws {
        var rest = Set(Step.allCases).subtracting([.bodyRequired, .notFound])
        for step in Step.allCases where rest.contains(step) {
            guard step.rawValue < Step.malformed.rawValue else { break }
            #expect(try word(rest) == step.code)
            rest.remove(step)
        }
    }

    @Test func `and a deletion of nothing is not found before it is invalid`() throws {
        let desk = Desk()
        #expect(try desk.send(.sample(#"{"zz":1}"#, type: "widget.delete")).word == "widget.not_found")
        try desk.send(.create())
        let fate = try desk.send(.sample(#"{"zz":1}"#, type: "widget.delete"))
        #expect(fate.word == "widget.invalid")
        #expect(fate.faults == ["unknown_field /zz"])
        for body in ["[]", "1", "{", "null"] {
            #expect(try desk.send(.sample(body, type: "widget.delete")).word == "message.malformed")
        }
        #expect(try desk.send(.sample(#"{"slug":"pages"}"#, type: "widget.delete")).word == "accepted")
    }

    @Test(arguments: [
        "", " ", "1", "[]", "null", "\"{}\"", "{", "{}{}", #"{"a":1,"\u0061":2}"#, #"{"a":"\ud800"}"#, "\u{FEFF}{}",
        "{'a':1}",
        #"{"a":"# * 32 + "1" + "}" * 32 + " ", #"{"a":"# * 32 + "{}" + "}" * 32, "[" * 10_000,
    ])
    func `and what is no object is malformed`(_ body: String) throws {
        let desk = Desk()
        try desk.send(.create())
        let isNested = body.hasSuffix("} ")
        #expect(
            try desk.send(.sample(body)).word
                == (body.isEmpty ? "request.body_required" : isNested ? "widget.invalid" : "message.malformed"))
    }
}
