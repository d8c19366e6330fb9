"""The configuration: read from the environment at start, in this file and nowhere else.

What there is to set stands in `service/settings.py`.
"""

import difflib
import logging
import os
import secrets
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from domain.values import Value
from service import settings
from service.settings import KEY_LENGTH, PREFIX, SETTINGS, Fsync, Log, Rate, Setting

__all__ = ["Config", "ConfigError", "Fsync", "Limits", "Log", "Rate", "child_environment", "load", "server_key"]

T = TypeVar("T")

KEY_FILE: Final = "server.key"

_log = logging.getLogger("starledger.config")


class ConfigError(Exception):
    """Settings are wrong; the message has a line for each: its name, its value, and what would be right."""


class Limits(Value, frozen=True):
    """The rate limits of the contract, each with a bucket of its own."""

    commands: Rate
    reads: Rate
    creations: Rate


class Config(Value, frozen=True):
    """All settings, checked.

    None stands for: an embedded server (`redis_url`, `queue_url`), a key made at the first start (`secret`), no rate
    limits (`limits`). `lease` and `relay_period` are seconds; the folder `data` may not be there yet.
    """

    host: str
    port: int
    data: Path
    redis_url: str | None
    queue_url: str | None
    workers: int
    secret: str | None
    fsync: Fsync
    log: Log
    cors: tuple[str, ...]
    limits: Limits | None
    lease: float
    relay_period: float
    threads: int
    streams: int
    webhooks_private: bool


def load(environ: Mapping[str, str] | None = None) -> Config:
    """Read the settings from `environ` (default: the process's own); an empty value counts as unset.

    Raises `ConfigError` that names all wrong settings at once; warns in the log of names that there are not.
    """
    reader = _Reader(os.environ if environ is None else environ)
    get = reader.get
    limits = Limits(
        commands=get(settings.LIMIT_COMMANDS),
        reads=get(settings.LIMIT_READS),
        creations=get(settings.LIMIT_CREATIONS),
    )
    threads = get(settings.THREADS)
    streams = get(settings.STREAMS)
    config = Config(
        host=get(settings.HOST),
        port=get(settings.PORT),
        data=get(settings.DATA),
        redis_url=get(settings.REDIS_URL),
        queue_url=get(settings.QUEUE_URL),
        workers=get(settings.WORKERS),
        secret=get(settings.SECRET),
        fsync=get(settings.FSYNC),
        log=get(settings.LOG),
        cors=get(settings.CORS),
        limits=limits if get(settings.RATE_LIMITS) else None,
        lease=get(settings.LEASE),
        relay_period=get(settings.RELAY_PERIOD),
        threads=threads,
        streams=threads * 3 // 4 if streams is None else streams,
        webhooks_private=get(settings.WEBHOOKS_PRIVATE),
    )
    if config.streams >= config.threads:
        reader.refuse(settings.STREAMS, also=settings.THREADS)
    if config.lease <= config.relay_period:
        reader.refuse(settings.LEASE, also=settings.RELAY_PERIOD)
    reader.finish()
    return config


def child_environment(config: Config) -> dict[str, str]:
    """Give the environment for a process that this one starts: its own, with exactly this configuration.

    `load` reads the same configuration from it.
    """

    def rate(of: Rate) -> str:
        return f"{of.per_second}/{of.burst}"

    written: dict[Setting[Any], str] = {
        settings.HOST: config.host,
        settings.PORT: str(config.port),
        settings.DATA: str(config.data),
        settings.REDIS_URL: config.redis_url or "",
        settings.QUEUE_URL: config.queue_url or "",
        settings.WORKERS: str(config.workers),
        settings.SECRET: config.secret or "",
        settings.FSYNC: config.fsync,
        settings.LOG: config.log,
        settings.CORS: ",".join(config.cors),
        settings.RATE_LIMITS: "on" if config.limits else "off",
        settings.LIMIT_COMMANDS: rate(config.limits.commands) if config.limits else "",
        settings.LIMIT_READS: rate(config.limits.reads) if config.limits else "",
        settings.LIMIT_CREATIONS: rate(config.limits.creations) if config.limits else "",
        settings.LEASE: str(config.lease),
        settings.RELAY_PERIOD: str(config.relay_period),
        settings.THREADS: str(config.threads),
        settings.STREAMS: str(config.streams),
        settings.WEBHOOKS_PRIVATE: "on" if config.webhooks_private else "off",
    }
    others = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return others | {setting.name: text for setting, text in written.items() if text}


def server_key(config: Config) -> bytes:
    """Give the key that tokens are derived from: `STARLEDGER_SECRET`, else the one kept in the data folder.

    Where there is none yet, it is drawn and written with mode 600; of processes that start at once all get the
    same. Raises `ConfigError` where the file can't be written or read, is no key, or is open to others.
    """
    if config.secret is not None:
        return config.secret.encode()
    path = config.data / KEY_FILE
    try:
        if not path.exists():
            _write_key(path)
        return _read_key(path)
    except OSError as failed:
        raise ConfigError(
            f"The server key can't be kept in {path}: {failed.strerror}. Let this user write there, set "
            f"{settings.DATA.name} to another folder, or give the key as {settings.SECRET.name}."
        ) from failed


def _read_key(path: Path) -> bytes:
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(f"{path} holds the server key and others may read it. Close it: chmod 600 {path}")
    key = path.read_text(encoding="utf-8").strip()
    if len(key) < KEY_LENGTH:
        raise ConfigError(
            f"{path} should hold the server key, at least {KEY_LENGTH} characters, and holds {len(key)}. Restore it "
            f"from a backup; or remove it, and a new key is made at the next start and all tokens are void."
        )
    return key.encode()


def _write_key(path: Path) -> None:
    """Write a new key whole or not at all; a key that another process wrote first stays."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # A link is never made over a file that is there, as a rename would be.
        os.link(draft, path)
    except FileExistsError:
        _log.debug("another process has made %s", path)
    finally:
        draft.unlink()


def strangers(environ: Mapping[str, str] = os.environ) -> Sequence[str]:
    """Say which variables look like settings and are none."""
    known = [setting.name.removeprefix(PREFIX) for setting in SETTINGS]
    found = []
    for name in sorted(environ):
        if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in known:
            near = difflib.get_close_matches(name.removeprefix(PREFIX), known, n=1)
            hint = f"; did you mean {PREFIX}{near[0]}?" if near else "; docs/operations.md has the list."
            found.append(f"There is no setting {name}{hint}")
    return found


class _Reader:
    """Reads settings and keeps what is wrong, so that all of it can be said at once."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._given = {name: value.strip() for name, value in environ.items() if name.startswith(PREFIX)}
        self._wrong: dict[str, str] = {}
        for stranger in strangers(environ):
            _log.warning(stranger)

    def get(self, setting: Setting[T]) -> T:
        """Read a setting; where it is wrong, note that and go on with its default."""
        text = self._given.get(setting.name, "")
        if text:
            try:
                return setting.read(text)
            except (ValueError, KeyError):
                self._note(setting)
        return setting.read(setting.default)

    def refuse(self, setting: Setting[Any], *, also: Setting[Any]) -> None:
        """Note that a setting does not fit another one, unless one of them is wrong by itself."""
        if not {setting.name, also.name} & self._wrong.keys():
            self._note(setting, f" ({also.name} is {self._given.get(also.name) or also.default})")

    def finish(self) -> None:
        """Raise if anything was wrong."""
        if self._wrong:
            raise ConfigError("\n".join(self._wrong.values()))

    def _note(self, setting: Setting[Any], beside: str = "") -> None:
        text = self._given.get(setting.name) or setting.default
        self._wrong[setting.name] = f"{setting.name}={setting.shown(text)} is wrong: it takes {setting.takes}{beside}."
