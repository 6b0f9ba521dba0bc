/// Those of librabbitmq's statuses that ask for something (amqp.h, amqp_status_enum).
enum AMQPLibraryStatus: Int {
    case noSuchHost = -0x0005
    case otherProtocol = -0x0006
    case connectionClosed = -0x0007
    case socketError = -0x0009
    case unsupportedMechanism = -0x0013
    case tlsFailed = -0x0200
    case nameNotVerified = -0x0201
    case peerNotVerified = -0x0202
    case handshakeFailed = -0x0203
}
