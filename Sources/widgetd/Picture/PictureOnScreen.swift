import Glibc
import WidgetJSON
import WidgetPresentation
import WidgetTime
import WidgetWorker

/// Draws what a device shows of a widget below what is on the screen already.
enum PictureOnScreen {
    /// The device that is drawn: the newest build, with the most room.
    static let device = Device(.from16, .large)

    /// How long a picture that moves by itself is looked at for its next step, milliseconds.
    private static let patience: Int64 = 1_100

    /// Draws it; where something on it ticks, once more at its next tick, so that it is seen to.
    static func draw(_ widget: PresentableWidget, on terminal: Terminal) throws {
        let now = WorkerClock.system.now()
        let shown = Presentation(of: widget, on: device, at: now)
        let lines = WidgetPicture(shown, for: terminal).text
        for line in lines { try terminal.write(line: line) }
        guard terminal.canDraw, let next = shown.nextChange, next.milliseconds - now.milliseconds <= patience else {
            return
        }
        usleep(UInt32(clamping: (next.milliseconds - now.milliseconds + 1) * 1000))
        let later = Presentation(of: widget, on: device, at: max(next, WorkerClock.system.now()))
        try terminal.write("\u{1B}[\(lines.count)A\u{1B}[J")
        for line in WidgetPicture(later, for: terminal).text { try terminal.write(line: line) }
    }
}
