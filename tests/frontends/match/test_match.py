"""Whole matches from the command line, with real processes."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from extremum.engine.session import Session
from extremum.protocol.records import read_record, restore
from tests.frontends.match.matches import SMALL, alive, begun, children, engines, faulty, games, match, until
from tests.protocol.engine import ENGINE

RHINO = "/usr/games/gtp-rhino"


@pytest.mark.slow
def test_a_match_ends_with_a_table_and_every_game_on_disk(tmp_path: Path) -> None:
    done = match("random", "random name=other", *SMALL, "--games", "8", "-j", "2", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert re.search(r"^random +[+-]\d+ +\d+ +8 ", done.stdout, re.MULTILINE)
    finished = sorted(games(tmp_path), key=lambda game: game["number"])
    assert [game["number"] for game in finished] == list(range(8))
    for first, second in zip(finished[::2], finished[1::2], strict=True):
        assert first["moves"][:2] == second["moves"][:2]  # every opening from both sides
        assert (first["black"], first["white"]) == (second["white"], second["black"])
    for game in finished:
        session = Session()
        restore(read_record((tmp_path / "games" / f"{game['number']:06}.sgf").read_text()), session)
        assert [played.move for played in session.moves] == game["moves"]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_games_however_many_run_at_once(tmp_path: Path) -> None:
    played = []
    for workers in ("1", "3"):
        match("random", "random name=b", *SMALL, "--games", "6", "-j", workers, "--out", str(tmp_path / workers))
        played.append({game["number"]: game["moves"] for game in games(tmp_path / workers)})
    assert played[0] == played[1]
    assert len(played[0]) == 6


@pytest.mark.slow
def test_a_net_plays_the_same_games_alone_and_beside_others(tmp_path: Path) -> None:
    words = ("mcts weights=gomoku-8 visits=24", "rollout visits=50", "--size", "8", "--games", "6")
    played = []
    for together in ("1", "6"):
        done = match(*words, "--openings", "random:3", "--together", together, "--out", str(tmp_path / together))
        assert done.returncode == 0, done.stderr
        played.append({game["number"]: game["moves"] for game in games(tmp_path / together)})
    assert played[0] == played[1]
    assert len(played[0]) == 6


@pytest.mark.slow
def test_a_match_goes_on_after_kill_9_and_leaves_nobody_behind(tmp_path: Path) -> None:
    mark = f"mark-{tmp_path.name}-{os.getpid()}"
    words = (
        faulty("none", mark),
        faulty("steady", mark),
        *SMALL,
        "--games",
        "4",
        "-j",
        "2",
        "--out",
        str(tmp_path / "m"),
    )
    running = begun(*words)
    until(lambda: len(games(tmp_path / "m")) >= 1)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    until(lambda: not alive(mark), 10)
    before = games(tmp_path / "m")
    with (tmp_path / "m" / "results.jsonl").open("a") as file:
        file.write('{"number": 3, "mov')  # what a power cut may leave
    done = match(*words)
    assert done.returncode == 0, done.stderr
    assert games(tmp_path / "m")[: len(before)] == before
    assert sorted(game["number"] for game in games(tmp_path / "m")) == [0, 1, 2, 3]
    assert not alive(mark)


@pytest.mark.slow
def test_games_that_share_a_process_go_on_after_kill_9_as_if_nothing_had_been(tmp_path: Path) -> None:
    net = ("mcts weights=gomoku-8 visits=24", "rollout visits=50", "--size", "8", "--openings", "random:3")
    words = (*net, "--games", "6", "--together", "3", "--out")
    running = begun(*words, str(tmp_path / "m"))
    until(lambda: len(games(tmp_path / "m")) >= 1, 60)
    workers = children(running.pid)
    assert workers
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), 10)
    for folder in ("m", "whole"):
        done = match(*words, str(tmp_path / folder))
        assert done.returncode == 0, done.stderr
    after, whole = ({game["number"]: game["moves"] for game in games(tmp_path / name)} for name in ("m", "whole"))
    assert after == whole
    assert len(whole) == 6


@pytest.mark.slow
def test_ctrl_c_ends_everything_and_the_match_can_go_on(tmp_path: Path) -> None:
    mark = f"mark-{tmp_path.name}-{os.getpid()}"
    running = begun(
        faulty("none", mark), faulty("hangs", mark), *SMALL, "--games", "4", "-j", "2", "--out", str(tmp_path)
    )
    until(lambda: len(alive(mark)) > 4)  # the match, two workers' engines
    running.send_signal(signal.SIGINT)
    assert running.wait(10) == 130
    until(lambda: not alive(mark), 5)
    assert (tmp_path / "match.json").exists()


@pytest.mark.slow
def test_a_match_goes_on_after_ctrl_c_with_the_games_that_are_missing(tmp_path: Path) -> None:
    words = (faulty("none"), faulty("steady"), *SMALL, "--games", "6", "--out", str(tmp_path))
    running = begun(*words)
    until(lambda: len(games(tmp_path)) >= 1)
    running.send_signal(signal.SIGINT)
    assert running.wait(10) == 130
    before = games(tmp_path)
    assert 1 <= len(before) < 6
    done = match(*words)
    assert done.returncode == 0, done.stderr
    assert f"extremum: {len(before)} games finished, {6 - len(before)} to play" in done.stderr
    assert games(tmp_path)[: len(before)] == before
    assert sorted(game["number"] for game in games(tmp_path)) == list(range(6))


@pytest.mark.slow
def test_the_engines_of_a_file_play_a_match(tmp_path: Path) -> None:
    (tmp_path / "engines.toml").write_text(f"""
        [third]
        level = 30
        [net]
        brain = "mcts"
        weights = "gomoku-8"
        options = {{ visits = 4 }}
        [other]
        command = "{sys.executable} -m tests.protocol.clients.faulty none"
    """)
    words = ("--engines", str(tmp_path / "engines.toml"), "--size", "8", "--openings", "random:4")
    done = match(*words, "--games", "2", "--out", str(tmp_path / "m"))
    assert done.returncode == 0, done.stderr
    assert {game["reason"] for game in games(tmp_path / "m")} == {"board"}
    met = {frozenset((game["black"], game["white"])) for game in games(tmp_path / "m")}
    assert met == {frozenset(pair) for pair in (("third", "net"), ("third", "other"), ("net", "other"))}


@pytest.mark.slow
def test_faults_are_told_and_the_tournament_goes_on(tmp_path: Path) -> None:
    faults = [faulty(name) for name in ("dies", "occupied", "claims")]
    done = match(
        "random", *faults, *SMALL, "--format", "gauntlet", "--games", "2", "--patience", "20", "--out", str(tmp_path)
    )
    assert done.returncode == 0, done.stderr
    assert len(games(tmp_path)) == 6
    assert re.search(r"dies: does not start 2 times, .*: crash: ended with status 7, saying 'no such wei", done.stdout)
    assert re.search(r"occupied: illegal move.*: \w+ is occupied", done.stdout)
    assert re.search(r"claims: false claim.*: [BW]\+", done.stdout)


@pytest.mark.slow
def test_the_silent_the_talkative_and_the_double_tongued_forfeit_in_time(tmp_path: Path) -> None:
    faults = [faulty(name) for name in ("silent", "banner", "answers-twice")]
    words = (*SMALL, "--format", "gauntlet", "--games", "2", "--patience", "4", "--out", str(tmp_path))
    done = match("random", *faults, *words)
    assert done.returncode == 0, done.stderr
    assert [game["culprit"] for game in games(tmp_path)].count("random") == 0
    assert re.search(r"silent: does not start 2 times, in games .*: time-out: no answer", done.stdout)
    assert re.search(r"banner: garbage.*: 'Welcome to Faulty 1.0!'", done.stdout)
    assert re.search(r"answers-twice: garbage.*: '=\d+", done.stdout)


@pytest.mark.slow
def test_a_pinned_game_stays_on_one_processor(tmp_path: Path) -> None:
    mark = f"mark-{tmp_path.name}-{os.getpid()}"
    words = (faulty("none", mark), faulty("hangs", mark), *SMALL, "--games", "4", "-j", "2", "--pin")
    running = begun(*words, "--out", str(tmp_path))
    try:
        until(lambda: len(engines(mark)) == 4)
        pinned = [frozenset(os.sched_getaffinity(pid)) for pid in engines(mark)]
        assert all(len(cpus) == 1 for cpus in pinned)
        assert len(set(pinned)) == min(2, len(os.sched_getaffinity(0)))
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(10)


@pytest.mark.slow
def test_a_decided_test_stops_the_match(tmp_path: Path) -> None:
    done = match("random", faulty("resigns"), *SMALL, "--games", "400", "--sprt", "0,200", "--out", str(tmp_path))
    assert "200 Elo is accepted" in done.stdout
    assert 4 < len(games(tmp_path)) < 100
    again = match("random", faulty("resigns"), *SMALL, "--games", "400", "--sprt", "0,200", "--out", str(tmp_path))
    assert "200 Elo is accepted" in again.stdout


@pytest.mark.slow
def test_our_engine_plays_over_both_protocols_against_itself(tmp_path: Path) -> None:
    engine = " ".join(ENGINE)
    words = (f"ours=gtp:{engine} --brain random", f"pbrain=gomocup:{engine} gomocup --brain random", "random")
    done = match(*words, *SMALL, "--games", "2", "--movetime", "2", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert len(games(tmp_path)) == 6
    assert all(game["reason"] == "board" and not game["claims"] for game in games(tmp_path)), done.stdout


@pytest.mark.slow
def test_a_real_othello_engine_plays_a_match_without_a_fault(tmp_path: Path) -> None:
    assert Path(RHINO).exists(), "the engine of Debian's package grhino is missing: apt-get install grhino"
    words = (f"rhino=gtp:{RHINO} -l 1 -b 0 -r 0", "random", "--game", "othello", "--openings", "random:4")
    done = match(*words, "--games", "6", "-j", "2", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert all(game["reason"] == "board" and not game["claims"] for game in games(tmp_path)), done.stdout
    assert "PA" in "".join(file.read_text() for file in (tmp_path / "games").glob("*.ggf"))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["random"], "a match needs two engines"),
        (["random", "mctz"], "unknown engine 'mctz': PROTOCOL:COMMAND, one of auto, "),
        (["random", "random level=200"], "engine 'random level=200': unacceptable level: 200 is not in 0..100"),
        (["random", "random x=1"], "engine 'random x=1': unknown option 'x': one of "),
        (["random", "gtp:"], "an engine's command is empty"),
        (["random", "random", "--size", "21"], "unacceptable size: 21 is not in 3..20"),
        (["random", "random", "--sprt", "5,0"], "argument --sprt: '5,0' is not LOW,HIGH or LOW,HIGH,ALPHA,BETA"),
        (
            ["random", "random", "--sprt", "0,inf"],
            "argument --sprt: '0,inf' is not LOW,HIGH or LOW,HIGH,ALPHA,BETA, LOW below ",
        ),
        (
            ["random", "random", "--size", "4", "--openings", "random:17"],
            "openings of 17 plies do not fit on gomoku 4x4",
        ),
        (["random", "x=gomocup:x", "--in-a-row", "4"], "engine 'x': the Gomocup protocol has no 4 in a row"),
        (["random", "x=gomocup:x", "--game", "othello"], "engine 'x': the Gomocup protocol has no othello"),
        (["random", "x=nboard:x"], "engine 'x': the NBoard protocol has no gomoku 15x15"),
        (["random", "gtp:/no/such"], "engine 'such': there is no program '/no/such'"),
        (["random", "dqn", "--size", "8"], "engine 'dqn': 'dqn' does not play gomoku: it knows othello only"),
        (["random", "random", "--openings", "/no/such"], "/no/such: "),
        (["random", "random", "--engines", "/no/such"], "/no/such: "),
    ],
)
def test_a_bad_word_is_refused_in_one_line(words: list[str], complaint: str, tmp_path: Path) -> None:
    done = match(*words, "--out", str(tmp_path / "m"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"extremum: {complaint}")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "m").exists()


@pytest.mark.slow
def test_another_match_is_refused_in_the_same_folder(tmp_path: Path) -> None:
    match("random", "random", *SMALL, "--games", "2", "--out", str(tmp_path))
    done = match("random", "random", *SMALL, "--games", "2", "--misere", "--out", str(tmp_path))
    assert done.returncode == 2
    assert "holds another match: not the same misere: False there, True here" in done.stderr
    more = match("random", "random", *SMALL, "--games", "4", "--out", str(tmp_path))
    assert more.returncode == 0
    assert len(games(tmp_path)) == 4
