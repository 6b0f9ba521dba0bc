"""TLS in front of a broker that has none: a certificate of its own, and a relay of bytes."""

import os
import socket
import ssl
import subprocess
import threading
import uuid

# OpenSSL: SHA-1, which TLS 1.1 signs with, is below its default level.
ANY_CIPHER = "ALL:@SECLEVEL=0"


def certificate(folder, days, name):
    """A certificate that is its own authority, and its key, in new files of the folder.

    `days` until it ends; -1 for one that has ended, the one negative number that openssl takes."""
    base = os.path.join(folder, uuid.uuid4().hex)
    files = [base + end for end in (".pem", ".key", ".csr", ".ext")]
    with open(files[3], "w", encoding="utf-8") as extensions:
        extensions.write(f"subjectAltName={name}")
    for command in (
        ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=broker", "-keyout",
         files[1], "-out", files[2]],
        ["x509", "-req", "-in", files[2], "-signkey", files[1], "-days", str(days), "-extfile", files[3], "-out",
         files[0]],
    ):
        subprocess.run(["openssl", *command], check=True, capture_output=True)
    return files[:2]


class Relay:
    def __init__(self, folder, target, days=90, version=None):
        """With a version, such as ssl.TLSVersion.TLSv1_1, it speaks that one alone."""
        self.certificate, self.key = certificate(folder, days, "IP:127.0.0.1")
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, self.key)
        if version:
            self.context.minimum_version = self.context.maximum_version = version
            self.context.set_ciphers(ANY_CIPHER)
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                plain, _ = self.listener.accept()
            except OSError:  # closed
                return
            try:
                client = self.context.wrap_socket(plain, server_side=True)
            except OSError:
                continue
            broker = socket.create_connection(self.target)
            for source, sink in ((client, broker), (broker, client)):
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    @staticmethod
    def pump(source, sink):
        try:
            while data := source.recv(1 << 16):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def close(self):
        self.listener.close()
