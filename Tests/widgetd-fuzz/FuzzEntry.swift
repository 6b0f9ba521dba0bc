import Foundation
import WidgetProperties

/// What libFuzzer calls (https://llvm.org/docs/LibFuzzer.html). Its own options begin with one dash; those with two it
/// leaves to us.
@MainActor private var property: any InputProperty = JSONProperty()

/// `--target=NAME` chooses what is fuzzed; `--write=FOLDER` writes its seeds and its dictionary there, and ends.
@_cdecl("LLVMFuzzerInitialize")
@MainActor public func initialize(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafePointer<CChar>>>
) -> Int32 {
    let options = CommandLine.arguments.dropFirst()
    func value(_ name: String) -> String? {
        options.first { $0.hasPrefix("--\(name)=") }.map { String($0.dropFirst(name.count + 3)) }
    }
    guard let target = value("target").flatMap(FuzzTarget.init) else {
        FileHandle.standardError.write(
            Data("wanted is --target=, one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))\n".utf8))
        exit(2)
    }
    if let folder = value("write") {
        do {
            try StartingMaterial(target).write(to: URL(filePath: folder))
            exit(0)
        } catch {
            FileHandle.standardError.write(Data("error: \(folder) cannot be written: \(error)\n".utf8))
            exit(3)
        }
    }
    property = target.property.init()
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
@MainActor public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    do {
        try property.check(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        // libFuzzer keeps the input of a process that dies.
        fatalError("a property is broken: \(error)")
    }
    return 0
}
