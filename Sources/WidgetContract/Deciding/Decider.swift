public import WidgetJSON
public import WidgetTime

/// Decides what becomes of a command: merges it into the widget, judges the whole, and gives the new state or every
/// reason against it. The decision depends on nothing but its arguments; the decider only lends its memory.
public struct Decider {
    private let merged = DocumentBuffer()
    private var validator = Validator()

    public init() {}

    /// - Parameters:
    ///   - current: the widget at the command's address; `nil` when there never was one. It becomes what an accepted
    ///     command makes of it.
    ///   - body: the message's body, an object; `{}` for an empty body.
    ///   - now: the clock, which bounds dates and stamps the outcome.
    ///   - accountIsFull: whether the account may have no further widget; asked only for a create that would add one.
    public mutating func decide(
        current: inout Widget?, command: Command, body: DocumentView, now: Timestamp, accountIsFull: () throws -> Bool
    ) rethrows -> Decision {
        // The address of a widget that is there was judged when it came.
        if command.kind != .create, !Self.isWidget(current, at: command.address),
            let violations = Self.addressViolations(command.address)
        {
            return .rejected(Rejection(violations: violations))
        }
        if let sequence = command.sequence, let last = current?.sequence, sequence <= last {
            return .rejected(
                Rejection(
                    .sequenceStale, "sequence \(sequence) is not above \(last), the last one that was applied"))
        }
        switch command.kind {
        case .create: return try create(&current, command, body, now, accountIsFull)
        case .patch: return current.change { patch(&$0, command, body, now) } ?? .rejected(Self.notFound(command))
        case .delete: return current.change { delete(&$0, command, body, now) } ?? .rejected(Self.notFound(command))
        }
    }

    /// The same with a document of its own.
    public mutating func decide(
        current: inout Widget?, command: Command, body: Document, now: Timestamp, accountIsFull: () -> Bool
    ) -> Decision {
        body.withView { body in
            decide(current: &current, command: command, body: body, now: now, accountIsFull: accountIsFull)
        }
    }

    // MARK: The three kinds

    private mutating func create(
        _ current: inout Widget?, _ command: Command, _ body: DocumentView, _ now: Timestamp,
        _ accountIsFull: () throws -> Bool
    ) rethrows -> Decision {
        Document().withView { merged.merge($0, with: body, ignoring: "slug") }
        validator.validate(merged.view, now: now)
        let violations = inOrder(of: body, (Self.addressViolations(command.address) ?? []) + validator.violations)
        guard violations.isEmpty else {
            return .rejected(Rejection(violations: violations, template: validator.findings.template))
        }
        let live = current?.document
        if live == nil, try accountIsFull() {
            return .rejected(
                Rejection(
                    .limitExceeded, "account \(command.address.account) has as many widgets as it may; delete one first"
                ))
        }
        let document = sorted() ?? merged.document
        let changed = ChangedMembers(from: live ?? Document(), to: document)
        current = Widget(
            address: command.address, revision: (current?.revision ?? 0) + 1,
            sequence: command.sequence ?? current?.sequence,
            createdAt: live == nil ? now.milliseconds : current?.createdAt ?? now.milliseconds,
            updatedAt: now.milliseconds, document: document)
        return accepted(changed)
    }

    /// Changes the widget where it is, so that its document's memory can be used again.
    private mutating func patch(
        _ widget: inout Widget, _ command: Command, _ body: DocumentView, _ now: Timestamp
    ) -> Decision {
        guard var changed = widget.document?.withView({ merge($0, body, now) }) else {
            return .rejected(Self.notFound(command))
        }
        guard validator.violations.isEmpty, merged.textCount <= Self.longestWidget else {
            let violations = inOrder(of: body, tooLong + validator.violations).map { $0.markedIfStored(body) }
            return .rejected(Rejection(violations: violations, template: validator.findings.template))
        }
        if let sorted = sorted() {
            // Sorting may move what the patch did not name.
            changed = ChangedMembers(from: widget.document ?? Document(), to: sorted)
            widget.document = sorted
        } else {
            widget.document?.assign(merged)
        }
        widget.update(command, now)
        return accepted(changed)
    }

    /// Merges and judges.
    /// - Returns: what the patch changed, when nothing is wrong with it.
    private mutating func merge(_ document: DocumentView, _ body: DocumentView, _ now: Timestamp) -> ChangedMembers {
        merged.merge(document, with: body, ignoring: "slug")
        validator.validate(merged.view, now: now)
        guard validator.violations.isEmpty else { return [] }
        return ChangedMembers(from: document, to: merged.view, namedIn: body, validator.findings)
    }

    private func delete(
        _ widget: inout Widget, _ command: Command, _ body: DocumentView, _ now: Timestamp
    ) -> Decision {
        guard widget.document != nil else { return .rejected(Self.notFound(command)) }
        let violations = body.names(of: 0).filter { !$0.utf8.elementsEqual("slug".utf8) }.map { name in
            Violation(.root.appending(name), .unknownField, "is no member of a deletion")
        }
        guard violations.isEmpty else { return .rejected(Rejection(violations: violations)) }
        widget.document = nil
        widget.update(command, now)
        return .accepted(Accepted(changed: [], template: nil, needsNewBuild: false, throttleSeconds: nil))
    }

    // MARK: Parts

    /// Bytes of a widget's document: so many that it and any body, merged, are still one document. Fractions of dates
    /// have any length, and patches of one after the other add up.
    private static let longestWidget = 512 * 1024

    private var tooLong: [Violation] {
        let count = merged.textCount
        guard count > Self.longestWidget else { return [] }
        return [
            Violation(
                .root.appending("content"), .maxBytes,
                "\(count) bytes with what is stored, at most \(Self.longestWidget)")
        ]
    }

    private static func notFound(_ command: Command) -> Rejection {
        Rejection(
            .notFound,
            "there is no widget \(command.address.slug) in account \(command.address.account); create it first")
    }

    /// The merged document with its devices in the order that it asks for; `nil` when that changes nothing.
    private func sorted() -> Document? {
        guard validator.findings.sorts else { return nil }
        return DeviceSort.sorted(merged.document, content: validator.findings.contentObject)
    }

    /// The widget's own throttle, of the document that was judged.
    private var throttleSeconds: Double? {
        merged.view.member("push_throttle", of: 0).flatMap { merged.view.number(at: $0) }
    }

    private func accepted(_ changed: ChangedMembers) -> Decision {
        .accepted(
            Accepted(
                changed: changed, template: validator.findings.template,
                needsNewBuild: validator.findings.needsNewBuild, throttleSeconds: throttleSeconds))
    }

    private static func isWidget(_ widget: Widget?, at address: WidgetAddress) -> Bool {
        switch widget {
        case .none: false
        case .some(let widget): widget.address == address
        }
    }

    /// Account and slug against their patterns; `nil` when both are legal.
    private static func addressViolations(_ address: WidgetAddress) -> [Violation]? {
        var violations: [Violation] = []
        if !AddressPattern.slug.matches(address.slug) {
            violations.append(AddressPattern.slug.violation(at: "slug", address.slug))
        }
        if !AddressPattern.account.matches(address.account) {
            violations.append(AddressPattern.account.violation(at: "account", address.account))
        }
        return violations.isEmpty ? nil : violations
    }

    /// Top-level members stand in the body in their own order, which the merged widget need not have. An address that
    /// the body does not hold comes first, a missing member last.
    private func inOrder(of body: DocumentView, _ violations: [Violation]) -> [Violation] {
        guard violations.count > 1 else { return violations }
        var places: [[UInt8]: Int] = [:]
        for (place, name) in body.names(of: 0).enumerated() { places[Array(name.utf8)] = place }
        func place(_ violation: Violation) -> Int {
            let name = Array((violation.location.tokens.first ?? "").utf8)
            return places[name] ?? (violation.rule == .pattern ? -1 : places.count)
        }
        return violations.enumerated()
            .sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
            .map(\.element)
    }
}

extension Widget {
    /// Counts an accepted command in.
    fileprivate mutating func update(_ command: Command, _ now: Timestamp) {
        revision += 1
        sequence = command.sequence ?? sequence
        updatedAt = now.milliseconds
    }
}

extension Optional {
    /// Changes the value in place, when there is one.
    fileprivate mutating func change<Result>(_ change: (inout Wrapped) -> Result) -> Result? {
        if case .none = self { return nil }
        return change(&self!)
    }
}

extension Validator.Findings {
    /// The template applies `device_sort`.
    var sorts: Bool { template.map { Contract.template($0).sortsDevices } ?? false }
}

extension Violation {
    /// Marked as stored, with the patch that clears it, when `patch` touched neither the member nor any that takes part.
    fileprivate func markedIfStored(_ patch: DocumentView) -> Violation {
        guard !([location] + involved).contains(where: { $0.isTouched(by: patch) }) else { return self }
        var marked = self
        marked.isStored = true
        if rule != .required, let clearing = location.clearingPatch {
            marked.message += "; it was stored before, and \(clearing) clears it"
        }
        return marked
    }
}

extension JSONPointer {
    /// The patch names this member, one below it, or replaces one above it.
    fileprivate func isTouched(by patch: DocumentView) -> Bool {
        var position = 0
        for token in tokens {
            guard patch[position].kind == .object else { return true }
            guard let value = patch.member(named: token, of: position) else { return false }
            position = value
        }
        return true
    }

    /// A patch that removes the optional member in which this location lies.
    fileprivate var clearingPatch: String? {
        let tokens = tokens
        if tokens.count > 1, tokens[0] == "content" {
            guard tokens[1] != "template" else { return nil }
            return "{\"content\":{\(Self.quoted(tokens[1])):null}}"
        }
        guard let name = tokens.first, name != "name", name != "content" else { return nil }
        return "{\(Self.quoted(name)):null}"
    }

    private static func quoted(_ name: String) -> String { String(decoding: name.jsonText, as: UTF8.self) }
}
