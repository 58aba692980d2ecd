"""CURVE keys: made, kept in files, and asked for by a server that is not for everybody."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path

import zmq
import zmq.auth
from zmq.auth.thread import ThreadAuthenticator

SECRET, PUBLIC = ".key_secret", ".key"


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A public key and, unless it is somebody else's, its secret one."""

    public: bytes
    secret: bytes | None


@dataclass(frozen=True, slots=True)
class ServerKeys:
    """A server's own keys, and a folder with the public keys of those who may connect."""

    own: KeyPair
    authorized: Path

    def authenticate(self, context: zmq.Context[zmq.Socket[bytes]], log: logging.Logger) -> ThreadAuthenticator:
        """Begin to ask everybody who connects for a key from the folder."""
        authenticator = ThreadAuthenticator(context, log=log)
        authenticator.start()
        authenticator.configure_curve(domain="*", location=str(self.authorized))
        return authenticator

    def protect(self, socket: zmq.Socket[bytes]) -> None:
        """Let a socket take only clients with keys."""
        socket.curve_server = True
        socket.curve_publickey, socket.curve_secretkey = self.own.public, self.own.secret


@dataclass(frozen=True, slots=True)
class ClientKeys:
    """A client's own keys, and the public key of the server it trusts."""

    own: KeyPair
    server: KeyPair

    def protect(self, socket: zmq.Socket[bytes]) -> None:
        """Let a socket connect to that server only."""
        socket.curve_serverkey = self.server.public
        socket.curve_publickey, socket.curve_secretkey = self.own.public, self.own.secret


def make_keys(folder: Path, name: str) -> tuple[Path, Path]:
    """Write new keys, NAME.key to give away and NAME.key_secret to keep; FileExistsError when there are some."""
    for suffix in (PUBLIC, SECRET):
        if (folder / (name + suffix)).exists():
            raise FileExistsError(f"{folder / (name + suffix)} exists already")
    before = os.umask(0o077)  # the secret is nobody else's
    try:
        folder.mkdir(parents=True, exist_ok=True)
        public, secret = zmq.auth.create_certificates(folder, name)
    finally:
        os.umask(before)
    os.chmod(public, 0o644)
    return Path(public), Path(secret)


def read_keys(file: Path, *, with_secret: bool) -> KeyPair:
    """The keys of a file; OSError when it is missing, ValueError when it holds no such keys."""
    public, secret = zmq.auth.load_certificate(file)
    if with_secret and secret is None:
        raise ValueError(f"{file} holds no secret key: that is in the file {SECRET[1:]}")
    return KeyPair(public, secret if with_secret else None)
