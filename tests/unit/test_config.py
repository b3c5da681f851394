"""The option table, its layers, and every sentence a wrong setting ends in."""

import math
import os

import pytest

from franka_sim.config import OPTIONS, ConfigError, load
from franka_sim.config.options import BY_KEY
from franka_sim.config.unbuilt import UNBUILT


def toml(tmp_path, text):
    path = tmp_path / "f.toml"
    path.write_text(text)
    return path


def test_without_any_layer_every_option_has_its_default():
    config = load()
    assert config.values == {option.key: option.default for option in OPTIONS}
    assert config.port == 1337
    assert config.late_commands == "apply"
    assert not config.enforce_motion_limits


def test_every_row_has_a_meaning_a_variable_and_a_default_it_allows():
    for option in OPTIONS:
        assert option.meaning, option.key
        assert option.variable == "FRANKA_SIM_" + option.key.upper()
        if option.default is not None:
            assert option.check(option.default, option.key) == option.default


def test_arguments_win_over_environment_over_file_over_default(tmp_path):
    path = toml(tmp_path, "port = 1\npriority = 1\nspin = 1\n")
    environment = {"FRANKA_SIM_PORT": "2", "FRANKA_SIM_PRIORITY": "2"}
    config = load({"port": 3}, environment, path)
    assert (config.port, config.priority, config.spin, config.cpu) == (3, 2, 1, -1)


def test_the_file_may_be_named_by_argument_or_environment(tmp_path):
    path = toml(tmp_path, "port = 4711\n")
    assert load({"config": str(path)}).port == 4711
    assert load({}, {"FRANKA_SIM_CONFIG": str(path)}).port == 4711
    other = tmp_path / "other.toml"
    other.write_text("port = 4712\n")
    assert load({"config": str(other)}, {"FRANKA_SIM_CONFIG": str(path)}).port == 4712


def test_keys_of_the_file_may_carry_hyphens_and_paths_are_relative_to_it(tmp_path):
    config = load(file=toml(tmp_path, 'late-commands = "drop"\nurdf = "arm.urdf"\n'))
    assert config.late_commands == "drop"
    assert config.urdf == str(tmp_path / "arm.urdf")


def test_none_and_empty_count_as_not_given():
    config = load({"port": None}, {"FRANKA_SIM_PORT": "", "FRANKA_SIM_STRICT": " "})
    assert config.port == 1337
    assert not config.strict


@pytest.mark.parametrize("word", ["1", "true", "YES", "on"])
def test_a_switch_in_the_environment_understands_words_for_on(word):
    assert load({}, {"FRANKA_SIM_ENFORCE_MOTION_LIMITS": word}).enforce_motion_limits is True


@pytest.mark.parametrize("word", ["0", "false", "No", "off"])
def test_a_switch_in_the_environment_understands_words_for_off(word):
    assert load({}, {"FRANKA_SIM_ENFORCE_MOTION_LIMITS": word}).enforce_motion_limits is False


def switches(config):
    return (config.enforce_motion_limits, config.enforce_comm_constraints, config.late_commands)


@pytest.mark.parametrize(
    ("arguments", "environment", "expected"),
    [
        ({"strict": True}, {}, (True, True, "drop")),
        ({"strict": True, "late_commands": "apply"}, {}, (True, True, "apply")),
        ({"strict": True, "enforce_motion_limits": False}, {}, (False, True, "drop")),
        # A lower layer cannot soften what a higher one asked for.
        ({"strict": True}, {"FRANKA_SIM_LATE_COMMANDS": "apply"}, (True, True, "drop")),
        # A higher layer may.
        ({"late_commands": "apply"}, {"FRANKA_SIM_STRICT": "1"}, (True, True, "apply")),
        ({"strict": False}, {"FRANKA_SIM_STRICT": "1"}, (False, False, "apply")),
        (
            {"strict": False},
            {"FRANKA_SIM_STRICT": "1", "FRANKA_SIM_ENFORCE_MOTION_LIMITS": "1"},
            (True, False, "apply"),
        ),
    ],
)
def test_strict_implies_the_switches_that_are_not_given_in_its_layer_or_above(
    arguments, environment, expected
):
    assert switches(load(arguments, environment)) == expected


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"port": 65536}, "port: 65536 is not allowed; it must be a whole number from 0 to 65535"),
        ({"port": True}, "port: True is not allowed; it must be a whole number from 0 to 65535"),
        ({"port": 1.5}, "port: 1.5 is not allowed; it must be a whole number from 0 to 65535"),
        (
            {"clock": "fast"},
            "clock: fast is not allowed; it must be one of realtime, lockstep, scaled",
        ),
        ({"strict": "yes"}, "strict: yes is not allowed; it must be true or false"),
        ({"scale": math.inf}, "scale: inf is not allowed; it must be a number from 0.01 to 100"),
        ({"scale": math.nan}, "scale: nan is not allowed; it must be a number from 0.01 to 100"),
        (
            {"lockstep_timeout": -1.0},
            "lockstep_timeout: -1.0 is not allowed; "
            "it must be a number from 0.001 to 86400 s or inf",
        ),
        (
            {"lockstep_timeout": -math.inf},
            "lockstep_timeout: -inf is not allowed; "
            "it must be a number from 0.001 to 86400 s or inf",
        ),
        ({"host": ""}, "host: '' is not allowed; it must be a text with something in it"),
        ({"prot": 1337}, "prot: there is no such option; did you mean port?"),
        ({"zzz": 1}, "zzz: there is no such option"),
        (
            {"gripper": "claw"},
            "gripper: claw is not allowed; it must be one of hand, vacuum, none",
        ),
        (
            {"protocol_version": 5},
            "protocol_version: an FCI version other than 10 is not built yet",
        ),
    ],
)
def test_a_wrong_argument_is_one_sentence(arguments, sentence):
    with pytest.raises(ConfigError) as error:
        load(arguments)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("variable", "text", "sentence"),
    [
        (
            "FRANKA_SIM_PORT",
            "http",
            "FRANKA_SIM_PORT: http is not allowed; it must be a whole number from 0 to 65535",
        ),
        (
            "FRANKA_SIM_STRICT",
            "maybe",
            "FRANKA_SIM_STRICT: maybe is not allowed; it must be true or false",
        ),
        (
            "FRANKA_SIM_GRIPPER_OBJECT_WIDTH",
            "0.4",
            "FRANKA_SIM_GRIPPER_OBJECT_WIDTH: 0.4 is not allowed; "
            "it must be a number from 0 to 0.08 m",
        ),
        ("FRANKA_SIM_BACKEND", "gpu", "FRANKA_SIM_BACKEND: the genesis backend is not built yet"),
    ],
)
def test_a_wrong_variable_is_one_sentence(variable, text, sentence):
    with pytest.raises(ConfigError) as error:
        load({}, {variable: text})
    assert str(error.value) == sentence


def test_a_variable_that_no_option_has_is_noted_with_the_nearest_name():
    config = load({}, {"FRANKA_SIM_STRICKT": "1", "PATH": "/bin"})
    assert config.notes == (
        "FRANKA_SIM_STRICKT is not a setting of franka-sim; did you mean FRANKA_SIM_STRICT?",
    )


def test_a_missing_file_is_one_sentence(tmp_path):
    path = tmp_path / "none.toml"
    with pytest.raises(ConfigError, match=r"^config: cannot read .*none.toml: No such file"):
        load(file=path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("port = ", "config: {path} is not valid TOML: "),
        ("prot = 1", "prot in {path}: there is no such option; did you mean port?"),
        ('port = "1337"', "port in {path}: 1337 is not allowed; it must be a whole number from"),
        ('config = "x.toml"', "config in {path}: a config file cannot name another one"),
        (
            "gripper = 7",
            "gripper in {path}: 7 is not allowed; it must be one of hand, vacuum, none",
        ),
        ("[server]\nport = 1", "server in {path}: there is no such option"),
    ],
)
def test_a_wrong_file_is_one_sentence(tmp_path, text, sentence):
    path = toml(tmp_path, text)
    with pytest.raises(ConfigError) as error:
        load(file=path)
    assert str(error.value).startswith(sentence.format(path=path))
    assert "\n" not in str(error.value)


def test_infinity_is_a_lockstep_timeout_in_every_layer(tmp_path):
    lockstep = {"clock": "lockstep"}
    variable = {"FRANKA_SIM_LOCKSTEP_TIMEOUT": "inf"}
    assert load(lockstep, variable).lockstep_timeout == math.inf
    assert (
        load(lockstep, file=toml(tmp_path, "lockstep_timeout = inf")).lockstep_timeout == math.inf
    )
    assert load(lockstep, file=toml(tmp_path, "lockstep_timeout = 2")).lockstep_timeout == 2.0


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gripper", True),
        ("gripper", None),
        ("physics", "mujoco"),
        ("protocol_version", 10),
        ("vis", False),
        ("joint_discontinuity_scale", 1.0),
        ("gripper_physics", False),
    ],
)
def test_a_wish_that_is_true_already_is_accepted(key, value):
    assert load({key: value}).values == load().values


@pytest.mark.parametrize(
    ("word", "gripper"),
    [("1", "hand"), ("On", "hand"), ("vacuum", "vacuum"), ("0", "none"), ("false", "none")],
)
def test_the_switch_for_the_gripper_takes_its_kinds_too(word, gripper):
    """The option was a switch in franka-sim 1.1.7 (reference 000), and has choices here."""
    assert load({}, {"FRANKA_SIM_GRIPPER": word}).gripper == gripper


def test_what_is_not_built_never_hides_an_option_that_is():
    assert not {row.key for row in UNBUILT} & set(BY_KEY)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"scale": 2.0}, "scale: it acts only with clock scaled"),
        ({"lockstep_timeout": math.inf}, "lockstep_timeout: it acts only with clock lockstep"),
        ({"idle": "run", "clock": "scaled"}, "idle: it acts only with clock lockstep"),
        (
            {"gripper": False, "gripper_port": 5},
            "gripper_port: it acts only with gripper hand or vacuum",
        ),
        ({"gripper": "none", "unhomed": True}, "unhomed: it acts only with gripper hand"),
        ({"gripper_part": True}, "gripper_part: it acts only with gripper vacuum"),
        (
            {"gripper": "vacuum", "gripper_object_width": 0.02},
            "gripper_object_width: it acts only with gripper hand",
        ),
        (
            {"priority": 5, "realtime": "off"},
            "priority: it acts only with realtime auto or require",
        ),
    ],
)
def test_a_setting_that_would_do_nothing_is_refused_by_name(settings, sentence):
    with pytest.raises(ConfigError) as error:
        load(settings)
    assert str(error.value) == sentence


def test_each_value_remembers_how_the_user_named_it(tmp_path):
    config = load(
        {"port": 0},
        {"FRANKA_SIM_URDF": "arm.urdf"},
        toml(tmp_path, "cpu = 1\n"),
        name_of={"port": "--port"},
    )
    assert config.name("port") == "--port"
    assert config.name("urdf") == "FRANKA_SIM_URDF"
    assert config.name("cpu") == f"cpu in {tmp_path / 'f.toml'}"
    assert config.name("host") == "host"


def test_a_file_that_cannot_be_read_is_named_as_it_was_given(tmp_path):
    missing = tmp_path / "none.toml"
    with pytest.raises(ConfigError, match=r"^FRANKA_SIM_CONFIG: cannot read .*none\.toml"):
        load({}, {"FRANKA_SIM_CONFIG": str(missing)})
    with pytest.raises(ConfigError, match=r"^--config: cannot read .*none\.toml"):
        load({"config": str(missing)}, name_of={"config": "--config"})


def test_a_tool_is_one_of_the_words_or_a_file_beside_the_one_that_names_it(tmp_path):
    assert load({}, {"FRANKA_SIM_END_EFFECTOR": "hand"}).end_effector == "hand"
    file = toml(tmp_path, 'end-effector = "hand"\n')
    assert load(file=file).end_effector == "hand"
    file = toml(tmp_path, 'end-effector = "gripper.json"\n')
    assert load(file=file).end_effector == str(tmp_path / "gripper.json")
    with pytest.raises(ConfigError, match="one of none, hand, pump, or the path of a file"):
        load({"end_effector": ""})


@pytest.mark.parametrize(
    ("given", "expected"),
    [(90, (90.0, 0.0)), ((180.0,), (180.0, 0.0)), ([10, -20], (10.0, -20.0))],
)
def test_numbers_may_be_one_or_a_list_and_missing_ones_are_zero(given, expected):
    assert load({"base_tilt": given}).base_tilt == expected


def test_numbers_are_written_with_commas(tmp_path):
    assert load({}, {"FRANKA_SIM_BASE_TILT": "0, 45"}).base_tilt == (0.0, 45.0)
    assert load(file=toml(tmp_path, "base-tilt = [1, 2]\n")).base_tilt == (1.0, 2.0)
    assert load().base_tilt == (0.0, 0.0)
    assert BY_KEY["base_tilt"].default_text == "0,0"


@pytest.mark.parametrize("given", ["1,2,3", "a", "", "200", "nan", [1, 2, 3], [], True, ["1"]])
def test_numbers_out_of_form_or_range_are_one_sentence(given):
    allowed = "1 to 2 numbers with commas between, each from -180 to 180 deg"
    option = BY_KEY["base_tilt"]
    with pytest.raises(ConfigError, match=allowed):
        option.parse(given, "x") if isinstance(given, str) else option.check(given, "x")


SENSORS = ("torque_bias", "torque_noise", "velocity_noise", "encoder_resolution")


def test_realism_stands_for_the_settings_that_are_not_given():
    """Nominal: robot-model.md 4, no noise. Lab: robot-model.json, control.noise_estimate."""
    assert load().friction == 1.0
    assert [load().values[key] for key in SENSORS] == [0, 0, 0, 0]
    assert load({"realism": "ideal"}).friction == 0.0
    lab = load({"realism": "lab", "torque_noise": 0.2})
    assert (lab.friction, lab.torque_bias, lab.torque_noise) == (1.0, 0.5, 0.2)
    assert (lab.velocity_noise, lab.encoder_resolution) == (7e-4, 6e-6)


def test_a_stronger_layers_realism_is_not_undone_by_a_weaker_layer(tmp_path):
    environment = {"FRANKA_SIM_TORQUE_NOISE": "1", "FRANKA_SIM_FRICTION": "2"}
    config = load({"realism": "ideal"}, environment)
    assert (config.torque_noise, config.friction) == (0.0, 0.0)
    config = load({"friction": 0.5}, {"FRANKA_SIM_REALISM": "ideal"})
    assert config.friction == 0.5
    config = load({}, environment)
    assert (config.torque_noise, config.friction) == (1.0, 2.0)


@pytest.mark.parametrize("key", ["config", "urdf", "scene", "end_effector"])
def test_a_pipe_is_no_file_to_read(tmp_path, key):
    """Reading one may never end, not even on Ctrl-C."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ConfigError, match=f"^--{key}: .*pipe is not a regular file$"):
        load({key: str(pipe)}, name_of={key: f"--{key}"})
