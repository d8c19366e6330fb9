"""The settings: read once, checked whole, refused with what would be right."""

import logging
import multiprocessing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.config import Config, ConfigError, Limits, Rate, child_environment, load, server_key
from service.settings import SETTINGS

KEY = "0123456789abcdef0123456789abcdef"


def test_without_a_variable_the_defaults_stand():
    assert load({}) == Config(
        host="127.0.0.1",
        port=8000,
        data=Path(".starledger"),
        redis_url=None,
        queue_url=None,
        workers=2,
        secret=None,
        fsync="always",
        log="info",
        cors=(),
        limits=Limits(commands=Rate(50, 500), reads=Rate(500, 5000), creations=Rate(10, 200)),
        lease=15.0,
        relay_period=1.0,
        threads=2048,
        streams=1536,
        webhooks_private=False,
    )


def test_every_variable_is_read():
    given_ = {
        "STARLEDGER_HOST": "0.0.0.0",  # noqa: S104 - nothing listens
        "STARLEDGER_PORT": "80",
        "STARLEDGER_DATA": "/var/lib/starledger",
        "STARLEDGER_REDIS_URL": "redis://events:6379/0",
        "STARLEDGER_QUEUE_URL": "unix:///run/queue.sock",
        "STARLEDGER_WORKERS": "0",
        "STARLEDGER_SECRET": KEY,
        "STARLEDGER_FSYNC": "everysec",
        "STARLEDGER_LOG": "debug",
        "STARLEDGER_CORS": "https://a.example.org, http://localhost:3000",
        "STARLEDGER_RATE_LIMITS": "on",
        "STARLEDGER_LIMIT_COMMANDS": "1/2",
        "STARLEDGER_LIMIT_READS": "3/4",
        "STARLEDGER_LIMIT_CREATIONS": "5/5",
        "STARLEDGER_LEASE": "2.5",
        "STARLEDGER_RELAY_PERIOD": "0.1",
        "STARLEDGER_THREADS": "8",
        "STARLEDGER_STREAMS": "7",
        "STARLEDGER_WEBHOOKS_PRIVATE": "on",
    }
    assert {setting.name for setting in SETTINGS} == given_.keys()
    assert load(given_) == Config(
        host="0.0.0.0",  # noqa: S104 - nothing listens
        port=80,
        data=Path("/var/lib/starledger"),
        redis_url="redis://events:6379/0",
        queue_url="unix:///run/queue.sock",
        workers=0,
        secret=KEY,
        fsync="everysec",
        log="debug",
        cors=("https://a.example.org", "http://localhost:3000"),
        limits=Limits(commands=Rate(1, 2), reads=Rate(3, 4), creations=Rate(5, 5)),
        lease=2.5,
        relay_period=0.1,
        threads=8,
        streams=7,
        webhooks_private=True,
    )


def test_an_empty_value_counts_as_unset_as_compose_files_write_it():
    assert load({}) == load({setting.name: " " for setting in SETTINGS})


def test_rate_limits_can_be_off():
    assert load({"STARLEDGER_RATE_LIMITS": "off"}).limits is None


def test_streams_follow_the_threads_where_they_are_unset():
    assert load({"STARLEDGER_THREADS": "2"}).streams == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HOST", "http://localhost"),
        ("HOST", "two words"),
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "eight"),
        ("PORT", "80.0"),
        ("PORT", "٨٠"),
        ("REDIS_URL", "localhost:6379"),
        ("QUEUE_URL", "http://localhost"),
        ("WORKERS", "-1"),
        ("FSYNC", "sometimes"),
        ("LOG", "loud"),
        ("CORS", "https://a.example.org/path"),
        ("CORS", "a.example.org"),
        ("RATE_LIMITS", "maybe"),
        ("LIMIT_COMMANDS", "50"),
        ("LIMIT_COMMANDS", "0/5"),
        ("LIMIT_READS", "50/20"),
        ("LIMIT_CREATIONS", "10/20/30"),
        ("LEASE", "0"),
        ("LEASE", "15s"),
        ("RELAY_PERIOD", "-1"),
        ("RELAY_PERIOD", "nan"),
        ("THREADS", "1"),
        ("STREAMS", "2048"),
        ("WEBHOOKS_PRIVATE", "2"),
    ],
)
def test_a_wrong_value_is_refused_by_name_with_the_value_and_what_is_right(name, value):
    with pytest.raises(ConfigError) as refused:
        load({f"STARLEDGER_{name}": value})
    setting = next(s for s in SETTINGS if s.name == f"STARLEDGER_{name}")
    assert str(refused.value).startswith(f"STARLEDGER_{name}={value} is wrong: it takes {setting.takes}")


def test_all_wrong_values_are_named_at_once():
    with pytest.raises(ConfigError) as refused:
        load({"STARLEDGER_PORT": "x", "STARLEDGER_FSYNC": "y", "STARLEDGER_THREADS": "4", "STARLEDGER_STREAMS": "4"})
    named = {line.split(" ")[0] for line in str(refused.value).splitlines()}
    assert {"STARLEDGER_PORT=x", "STARLEDGER_FSYNC=y", "STARLEDGER_STREAMS=4"} == named


def test_the_lease_is_longer_than_the_period_of_the_relay():
    with pytest.raises(ConfigError, match=r"STARLEDGER_LEASE=15 is wrong: .*STARLEDGER_RELAY_PERIOD is 20"):
        load({"STARLEDGER_RELAY_PERIOD": "20"})


def test_a_wrong_key_or_password_is_not_shown():
    with pytest.raises(ConfigError) as refused:
        load({"STARLEDGER_SECRET": "tooshort", "STARLEDGER_REDIS_URL": "http://me:hunter2@host"})
    assert "tooshort" not in str(refused.value)
    assert "STARLEDGER_SECRET=(8 characters) is wrong: it takes at least 32 characters" in str(refused.value)
    assert "STARLEDGER_REDIS_URL=http://***@host is wrong" in str(refused.value)


def test_an_unknown_variable_is_warned_of_with_the_name_that_was_meant(caplog):
    with caplog.at_level(logging.WARNING):
        load({"STARLEDGER_REDIS": "redis://x", "STARLEDGER_ZZZZZZZZ": "1", "OTHER": "1"})
    assert [
        "There is no setting STARLEDGER_REDIS; did you mean STARLEDGER_REDIS_URL?",
        "There is no setting STARLEDGER_ZZZZZZZZ; docs/operations.md has the list.",
    ] == caplog.messages


def test_without_an_argument_the_environment_of_the_process_is_read(monkeypatch):
    monkeypatch.setenv("STARLEDGER_PORT", "4711")
    assert load().port == 4711


RATES = st.integers(1, 1000).flatmap(lambda flow: st.builds(Rate, st.just(flow), st.integers(flow, 10_000)))
CONFIGS = st.builds(
    Config,
    host=st.sampled_from(["127.0.0.1", "::1", "example.org"]),
    port=st.integers(1, 65535),
    data=st.sampled_from([Path("data"), Path("/var/lib/star ledger")]),
    redis_url=st.sampled_from([None, "redis://:pass@host:6379/1", "unix:///tmp/a.sock"]),
    queue_url=st.sampled_from([None, "rediss://host"]),
    workers=st.integers(0, 256),
    secret=st.sampled_from([None, KEY]),
    fsync=st.sampled_from(["always", "everysec", "no"]),
    log=st.sampled_from(["debug", "info", "warning", "error"]),
    cors=st.sampled_from([(), ("*",), ("https://a.example", "http://b.example:1")]),
    limits=st.none() | st.builds(Limits, commands=RATES, reads=RATES, creations=RATES),
    lease=st.integers(2001, 600_000).map(lambda ms: ms / 1000),
    relay_period=st.integers(1, 2000).map(lambda ms: ms / 1000),
    threads=st.integers(33, 4096),
    streams=st.integers(0, 32),
    webhooks_private=st.booleans(),
)


@given(CONFIGS)
def test_a_child_process_reads_the_same_configuration(config):
    assert config == load(child_environment(config))


def test_a_child_keeps_the_rest_of_the_environment_and_no_other_setting(monkeypatch):
    monkeypatch.setenv("STARLEDGER_LOG", "debug")
    monkeypatch.setenv("SOMETHING", "else")
    child = child_environment(load({}))
    assert "else" == child["SOMETHING"]
    assert "info" == child["STARLEDGER_LOG"]


def test_a_given_server_key_is_the_key_and_nothing_is_written(tmp_path):
    config = load({"STARLEDGER_SECRET": KEY, "STARLEDGER_DATA": str(tmp_path)})
    assert KEY.encode() == server_key(config)
    assert [] == list(tmp_path.iterdir())


def test_the_server_key_is_made_once_for_its_owner_alone(tmp_path):
    config = load({"STARLEDGER_DATA": str(tmp_path / "new" / "data")})
    key = server_key(config)
    assert 64 == len(key)
    assert key == server_key(config)
    assert ["server.key"] == [path.name for path in config.data.iterdir()]
    assert 0o600 == (config.data / "server.key").stat().st_mode & 0o777
    assert 0o700 == config.data.stat().st_mode & 0o777


def test_a_key_file_that_others_may_read_is_refused(tmp_path):
    config = load({"STARLEDGER_DATA": str(tmp_path)})
    server_key(config)
    (tmp_path / "server.key").chmod(0o640)
    with pytest.raises(ConfigError, match=r"chmod 600 .*server\.key"):
        server_key(config)


def test_a_key_file_that_is_no_key_is_refused_not_replaced(tmp_path):
    path = tmp_path / "server.key"
    path.touch(mode=0o600)
    with pytest.raises(ConfigError, match="holds 0"):
        server_key(load({"STARLEDGER_DATA": str(tmp_path)}))
    assert "" == path.read_text()


def test_a_data_folder_that_cannot_be_is_refused_with_what_to_do(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="STARLEDGER_DATA to another folder, or give the key as STARLEDGER_SECRET"):
        server_key(load({"STARLEDGER_DATA": str(tmp_path / "file")}))


def test_processes_that_start_at_once_get_the_same_key(tmp_path):
    config = load({"STARLEDGER_DATA": str(tmp_path)})
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        keys = pool.map(server_key, [config] * 16, chunksize=1)
    assert 1 == len(set(keys))
    assert ["server.key"] == [path.name for path in tmp_path.iterdir()]
