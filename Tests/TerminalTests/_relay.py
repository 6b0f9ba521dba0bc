"""TLS in front of a broker that has none: a certificate of its own, and a relay of bytes."""

import os
import socket
import ssl
import subprocess
import threading

# OpenSSL: SHA-1, which TLS 1.1 signs with, is below its default level.
ANY_CIPHER = "ALL:@SECLEVEL=0"


class Relay:
    def __init__(self, folder, target, days=90, version=None):
        """With a version, such as ssl.TLSVersion.TLSv1_1, it speaks that one alone."""
        self.certificate = os.path.join(folder, "certificate.pem")
        key = os.path.join(folder, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             str(days), "-subj", "/CN=broker", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
             self.certificate], check=True, capture_output=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, key)
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
