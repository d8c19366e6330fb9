"""`doctor` says what is wrong and what to do, and calls nothing wrong that is right."""

import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from service.cli import doctor
from service.config import ConfigError, load
from service.queue import open_worker_client
from tests.support.servers import events_client, queue_client, real_store, servers  # noqa: F401 - fixtures
from workers.worker import TurnWorker


@pytest.fixture
def settings(tmp_path):
    return {"STARLEDGER_DATA": str(tmp_path / "data"), "STARLEDGER_PORT": "1"}


@pytest.fixture
def on_servers(settings, servers, events_client, queue_client, real_store):  # noqa: F811
    return settings | {"STARLEDGER_REDIS_URL": servers.events_url, "STARLEDGER_QUEUE_URL": servers.queue_url}


def found(config) -> dict[str, doctor.Finding]:
    return {finding.what: finding for finding in doctor.examine(config)}


def graded(config) -> dict[str, str]:
    return {what: finding.grade for what, finding in found(config).items()}


def test_before_the_first_start_nothing_is_wrong(settings):
    assert {
        "python": "ok",
        "packages": "ok",
        "settings": "ok",
        "data": "note",
        "disk": "ok",
        "key": "note",
        "server": "ok",
        "api": "note",
        "servers": "note",
    } == graded(load(settings))


def test_a_folder_that_cannot_be_made_is_wrong_before_the_first_start(settings):
    there = next(path for path in ("/proc", "/sys") if Path(path).is_dir())
    finding = found(load({**settings, "STARLEDGER_DATA": f"{there}/nope/data"}))["data"]
    assert ("wrong", True) == (finding.grade, bool(finding.todo))


def test_a_variable_that_is_no_setting_is_named_with_the_one_that_was_meant(settings, monkeypatch):
    monkeypatch.setenv("STARLEDGER_WORKER", "3")
    said = [each.text for each in doctor.examine(load(settings)) if each.grade == "wrong"]
    assert ["There is no setting STARLEDGER_WORKER; did you mean STARLEDGER_WORKERS?"] == said


def test_everything_that_is_wrong_says_what_to_do(on_servers, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "server.key").write_text("short")
    findings = found(load(on_servers))

    assert {"key": "wrong", "workers": "wrong", "senders": "wrong"} == {
        k: f.grade for k, f in findings.items() if f.grade == "wrong"
    }
    assert all(finding.todo for finding in findings.values() if finding.grade == "wrong")


def test_wrong_settings_are_told_one_by_one_and_end_it():
    with pytest.raises(ConfigError) as wrong:
        load({"STARLEDGER_PORT": "x", "STARLEDGER_LEASE": "y"})
    findings = [finding for finding in doctor.examine(wrong.value) if finding.grade == "wrong"]

    assert ["STARLEDGER_PORT=x", "STARLEDGER_LEASE=y"] == [finding.text.split(" is")[0] for finding in findings]


def test_a_live_worker_is_seen(on_servers, servers):  # noqa: F811
    with open_worker_client(servers.queue_url) as client:
        worker = TurnWorker(client, f"doctor-{os.getpid()}", 15)
        worker.register_birth()
        worker.heartbeat()
        assert f"1 alive: doctor-{os.getpid()}" == found(load(on_servers))["workers"].text


def test_servers_that_cannot_be_reached_are_wrong(settings):
    away = {"STARLEDGER_REDIS_URL": "unix:///nowhere.sock", "STARLEDGER_QUEUE_URL": "unix:///nowhere.sock"}
    graded_ = graded(load(settings | away))

    assert ("wrong", "wrong") == (graded_["store"], graded_["queue"])


def test_a_store_that_keeps_less_than_promised_is_wrong(on_servers, events_client):  # noqa: F811
    events_client.config_set("appendfsync", "everysec")
    try:
        finding = found(load(on_servers))["store"]
    finally:
        events_client.config_set("appendfsync", "always")
    assert "wrong" == finding.grade
    assert "appendfsync always" in finding.text


def test_what_is_due_for_long_shows_that_there_is_no_relay(on_servers, events_client):  # noqa: F811
    events_client.zadd("ob:{b0001}", {"forgotten": 1})
    finding = found(load(on_servers))["relay"]

    assert "wrong" == finding.grade
    assert "table forgotten is due since" in finding.text


def test_a_clock_that_differs_is_wrong(on_servers, monkeypatch):
    now = time.time
    monkeypatch.setattr("time.time", lambda: now() + 30)
    finding = found(load(on_servers))["clock"]

    assert "wrong" == finding.grade
    assert "-30.0 s" in finding.text


def test_a_full_disk_is_wrong(settings, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=5 << 20))

    assert "5 MiB free" in found(load(settings))["disk"].text


def test_a_package_that_is_missing_is_named(settings, monkeypatch):
    monkeypatch.setattr(doctor, "_missing", lambda: ["rq"])

    assert "not installed: rq" == found(load(settings))["packages"].text


def test_the_report_tells_whether_all_is_well():
    good = doctor.Finding("disk", "ok", "free")
    bad = doctor.Finding("disk", "wrong", "full", "Make room.")
    said: list[str] = []

    assert doctor.report(iter([good]), said.append)
    assert not doctor.report(iter([good, bad]), said.append)
    assert "-> Make room." in said[-1]
