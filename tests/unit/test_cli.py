"""Command lines: what is understood, what is refused, and with which sentence and exit code."""

import pytest

import franka_sim
from franka_sim.cli import drop_in, main, serve
from franka_sim.config import OPTIONS, ConfigError
from franka_sim.config.unbuilt import UNBUILT

LOCKSTEP = "--clock lockstep"


def configure(*argv, environment=None, **how):
    return serve.configuration(list(argv), "franka-sim serve", environment or {}, **how)


@pytest.mark.parametrize("option", [o for o in OPTIONS if o.key != "config"], ids=lambda o: o.key)
def test_every_option_can_be_given_on_the_command_line(option):
    number = min(0.25, option.high or 0.25)
    value = {
        "bool": ("", True),
        "int": (" 7", 7),
        "float": (f" {number}", number),
        "path": (" some/file", "some/file"),
        "numbers": (" 1.5,2.5", (1.5, 2.5)),
    }.get(option.kind)
    if value is None:
        word = option.choices[-1] if option.choices else "word"
        value = (f" {word}", word)
    if option.key == "gripper_object_width":
        value = (" 0.025", 0.025)
    beside = {
        "scale": "--clock scaled",
        "lockstep_timeout": LOCKSTEP,
        "idle": LOCKSTEP,
        "gripper_part": "--gripper vacuum",
    }
    line = f"{option.flag}{value[0]} {beside.get(option.key, '')}"
    config = configure(*line.split())
    assert config.values[option.key] == value[1]


def test_a_switch_can_be_turned_off_against_the_environment():
    environment = {"FRANKA_SIM_ENFORCE_MOTION_LIMITS": "1"}
    assert configure(environment=environment).enforce_motion_limits
    off = configure("--no-enforce-motion-limits", environment=environment)
    assert not off.enforce_motion_limits


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (
            ["--port", "99999"],
            "--port: 99999 is not allowed; it must be a whole number from 0 to 65535",
        ),
        (["--port"], "--port: expected one argument; see franka-sim serve --help"),
        (
            ["--late-commands", "maybe"],
            "--late-commands: maybe is not allowed; it must be one of apply, drop",
        ),
        (
            ["--lockstep-timeout", "soon"],
            "--lockstep-timeout: soon is not allowed; "
            "it must be a number from 0.001 to 86400 s or inf",
        ),
        (["--prt", "1"], "unrecognized arguments: --prt 1; see franka-sim serve --help"),
        (["--por", "1"], "unrecognized arguments: --por 1; see franka-sim serve --help"),
        (
            ["--no-gripper", "--gripper-physics"],
            "--gripper-physics: it acts only with --gripper hand",
        ),
        (
            ["--gripper-object-width", "0.1"],
            "--gripper-object-width: 0.1 is not allowed; it must be a number from 0 to 0.08 m",
        ),
        (
            ["--gripper", "claw"],
            "--gripper: claw is not allowed; it must be one of hand, vacuum, none",
        ),
        (["-v"], "--vis: a viewer is not built yet"),
        (["--mobile-duo"], "--mobile-duo: the mobile FR3 duo is not built yet"),
        (
            ["--physics", "genesis"],
            "--physics: a physics backend other than mujoco is not built yet",
        ),
        (
            ["--joint-discontinuity-scale", "0"],
            "--joint-discontinuity-scale: 0 is not allowed; it must be a number from 0.01 to 100",
        ),
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_2(argv, sentence, capsys):
    assert main.main(["serve", *argv]) == 2
    assert capsys.readouterr().err == f"franka-sim serve: {sentence}\n"


def test_every_unbuilt_option_is_refused_or_harmless_on_both_command_lines(capsys):
    for row in UNBUILT:
        argv = [row.flag, "something"] if row.takes_value else [row.flag]
        for how in ({}, {"abbreviations": True}):
            if row.harmless("something" if row.takes_value else "true"):
                configure(*argv, **how)
            else:
                with pytest.raises(ConfigError, match="is not built yet"):
                    configure(*argv, **how)


def test_the_gripper_can_be_left_away_chosen_or_asked_for_by_name():
    assert configure().gripper == "hand"
    assert configure("--no-gripper").gripper == "none"
    assert configure("--gripper").gripper == "hand"
    assert configure("--gripper", "vacuum").gripper == "vacuum"
    environment = {"FRANKA_SIM_GRIPPER": "0"}
    assert configure(environment=environment).gripper == "none"
    assert configure("--gripper", environment=environment).gripper == "hand"


def test_the_drop_in_command_understands_its_users_lines():
    """Options of franka-sim 1.1.7 as its --help prints them; argparse there takes prefixes too."""
    config = configure(
        "--no-gripper",
        "--enforce-motion",
        "--no-enforce-comm-constraints",
        "--port",
        "1400",
        "--physics",
        "mujoco",
        "--joint-discontinuity-scale",
        "1.0",
        abbreviations=True,
        defaults=drop_in.DEFAULTS,
    )
    assert config.enforce_motion_limits
    assert not config.enforce_comm_constraints
    assert (config.host, config.port) == ("0.0.0.0", 1400)


def test_the_drop_in_command_refuses_with_its_own_name(capsys):
    assert drop_in.main(["--mobile-duo"]) == 2
    assert capsys.readouterr().err == (
        "run-franka-sim-server: --mobile-duo: the mobile FR3 duo is not built yet\n"
    )


def test_help_names_every_option_and_default(capsys):
    with pytest.raises(SystemExit) as end:
        main.main(["serve", "--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    for option in OPTIONS:
        assert option.flag in text
    assert "FRANKA_SIM_LATE_COMMANDS" in text


def test_the_version_is_printed(capsys):
    assert main.main(["--version"]) == 0
    assert capsys.readouterr().out == f"franka-sim {franka_sim.__version__}\n"


def test_no_command_and_an_unknown_one_are_2_and_help_is_0(capsys):
    assert main.main([]) == 2
    assert main.main(["fly"]) == 2
    assert "fly: there is no such command; it must be one of serve, check, bench" in (
        capsys.readouterr().err
    )
    assert main.main(["--help"]) == 0


def test_a_command_that_is_not_there_yet_is_refused_by_name(capsys, monkeypatch):
    monkeypatch.setattr(main, "COMMANDS", (("fly", "franka_sim.cli.fly", "fly"),))
    assert main.main(["fly"]) == 2
    assert capsys.readouterr().err == "franka-sim: fly is not built yet\n"
