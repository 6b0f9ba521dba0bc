import WidgetJSON

/// What stands before an outcome's body, for writing; `OutcomeBatch` tells the layout.
struct OutcomeHead {
    var destination: OutcomeDestination
    var revision: Int64?
    /// Seconds since 1970.
    var timestamp: Int64?
    /// How many updates before the newest are gathered in the outcome.
    var coalesced = 0

    /// Writes all up to the body's length; the total length is set later.
    func write(to out: inout ByteWriter, texts: (inout OutcomeTexts) -> Void) {
        out.putBytes(of: UInt32(0))
        out.put(destination.rawValue)
        out.putBytes(of: revision ?? Outcome.absentNumber)
        out.putBytes(of: timestamp ?? Outcome.absentNumber)
        var writer = OutcomeTexts(out: out)
        texts(&writer)
        writer.finish()
        out = writer.out
    }
}

/// Writes the texts of an outcome, in the order of `OutcomeText`; one that is passed over is absent.
struct OutcomeTexts {
    fileprivate(set) var out: ByteWriter
    private var written = 0

    /// Stands in place of a length.
    static let absent: UInt16 = 0xFFFF

    fileprivate init(out: ByteWriter) {
        self.out = out
    }

    /// Puts a text of fewer than 65 535 bytes.
    mutating func put(_ text: OutcomeText, _ write: (inout ByteWriter) -> Void) {
        passOver(to: text.rawValue)
        let lengthAt = out.count
        out.putBytes(of: Self.absent)
        write(&out)
        out.setBytes(of: UInt16(out.count - lengthAt - 2), at: lengthAt)
        written += 1
    }

    /// Puts a text; one that is too long counts as absent.
    mutating func put(_ text: OutcomeText, _ value: String?) {
        guard let value, value.utf8.count < Int(Self.absent) else { return }
        put(text) { $0.put(text: value) }
    }

    /// Puts a text; one that is too long counts as absent.
    mutating func put(_ text: OutcomeText, _ value: [UInt8]?) {
        guard let value, value.count < Int(Self.absent) else { return }
        put(text) { $0.put(value) }
    }

    fileprivate mutating func finish() { passOver(to: OutcomeText.allCases.count) }

    private mutating func passOver(to place: Int) {
        precondition(place >= written, "an outcome's texts are put in their order")
        while written < place {
            out.putBytes(of: Self.absent)
            written += 1
        }
    }
}
