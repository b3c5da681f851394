// Where the judge had to decide what no document settles. A row names what we do, why, what would
// show it wrong and the test that pins it.
#pragma once

#include <array>

namespace fsim::judge {

struct Assumption {
  const char* id;
  const char* what;
  const char* why;
  const char* wrong_if;
  const char* test;  ///< file and a word of the test's name
};

inline constexpr std::array kAssumed{
    Assumption{
        "J1",
        "on 32-bit states a limit on a difference of order n has the slack 2u/dt^n, u being "
        "half an ULP of the published signal, and 2u'/dt^(n-1), 2u''/dt^(n-2) of its "
        "published derivatives; order 0 has 2u of its own value",
        "a client that limits itself computes from all the derivatives it read; near q_d = 0 "
        "the rounding of dq_d alone is 100 times the margin libfranka keeps below a jerk limit",
        "a robot refuses a step that is over a limit by less than that",
        "test_judge_slack.cpp: slack"},
    Assumption{"J2", "the envelope of dq_c is taken at the q_d integrated before this command",
               "it is the q_d the client could read when it chose dq_c, and where q_c has it too",
               "a robot accepts a dq_c on the envelope's slope that only fits one cycle later",
               "test_judge_joint_velocity.cpp: envelope"},
    Assumption{"J3", "the first command of a joint motion is differenced from q_d at rest",
               "hardware refuses an opening q_d + 1e-5 rad (architecture.md)",
               "a robot accepts an opening step that a running motion may not make",
               "test_judge_signals.cpp: microradian"},
    Assumption{"J4",
               "a gap is extrapolated at the ddq_d recorded with the last command that arrived, "
               "even where that was differenced against a guess",
               "it is the published ddq_d, and guesses never change it",
               "q_d of a robot with every second packet lost leaves this law",
               "test_judge_losses.cpp: constant acceleration"},
    Assumption{"J5",
               "guesses are counted since the last recorded sample and stop at the 20th cycle; "
               "error 25 counts lost cycles in a row. They differ only while late commands are "
               "applied. The hold that follows is not judged by the limit rows",
               "a client that is always late would otherwise be held for ever, and the stop is the "
               "server's, not the client's",
               "a robot reports a discontinuity for the stop after 20 lost cycles",
               "test_judge_late.cpp: permanently"},
    Assumption{"J6",
               "a late command after a hold seeds the history at this cycle; so does a late "
               "opening command 20 or more cycles old; a younger one stands at its own cycle",
               "there are no guesses to replace, and dropping it would leave the arm inert",
               "does not arise on a robot, which drops late commands",
               "test_judge_late.cpp: after a hold"},
    Assumption{"J7",
               "after a hold the first position leaves dq_d = ddq_d = 0, the second gives dq_d and "
               "ddq_d = 0; the first velocity leaves ddq_d = 0",
               "the differences across the hold say nothing about the client's signal",
               "a robot that does not abort at 20 lost cycles judges the resume otherwise",
               "test_judge_losses.cpp: re-seed"},
    Assumption{"J8",
               "in one batch the late commands act first, in order of arrival, and the last fresh "
               "one answers the cycle; a late one out of order is judged but then not shown",
               "a fresh command is newer intent than any late one",
               "does not arise on a robot, which drops late commands",
               "test_judge_late.cpp: backlog"},
    Assumption{"J9", "an id 64 or more below the newest one seen is taken as seen: a duplicate",
               "the run that can be rewound has 19 ids; older packets are stray",
               "a client is found that reorders over more than 64 ms",
               "test_judge_arrivals.cpp: stray"},
    Assumption{"J10", "guesses made anew behind a late command are judged for the open cycle only",
               "the older ones never were a reference",
               "does not arise on a robot, which drops late commands",
               "test_judge_late.cpp: backlog"},
    Assumption{"J11", "a finite value whose differences overflow is refused like a non-finite one",
               "infinity in the history would make every later difference NaN",
               "a robot names another error for 1e305 rad", "test_judge_finite.cpp: overflow"},
    Assumption{"J12",
               "in one command the generator and the external torque are judged apart and both "
               "reported, the generator first",
               "they are different signals with different errors",
               "a robot latches only one of them", "test_judge_torque.cpp: both"},
    Assumption{"C1",
               "limits on norms have the slack of the norm: roundings of the entries add up as the "
               "sides of a box, those of a rotation matrix E count |E|/sqrt(2)",
               "the triangle inequality bounds the error of a norm; the skew part of R^T E is the "
               "turn that E makes",
               "a robot refuses a step that is over a Cartesian limit by less than that",
               "test_judge_cartesian_slack.cpp: slack"},
    Assumption{"C2",
               "a reflection is refused as an invalid frame (31), though libfranka's own test lets "
               "it pass",
               "it is no rotation: no joints realise it and no angle to it exists",
               "a robot accepts a frame whose axes are left-handed",
               "test_judge_pose.cpp: reflection"},
    Assumption{
        "C3",
        "the first pose, and the first elbow of a motion wherever it comes, rebases its history at "
        "rest within the start tolerance; a pose motion's joints are rebased with it",
        "reference 000 says so of the pose; an elbow that begins later is a first one as well",
        "a robot differences the first pose from O_T_EE_c", "test_judge_pose.cpp: rebases"},
    Assumption{
        "C4", "the first twist is differenced from rest",
        "no start tolerance is published for it, and rebasing would let a motion open at 3 m/s",
        "a robot accepts a first twist that a running motion may not make",
        "test_judge_twist.cpp: from rest"},
    Assumption{
        "C5",
        "27 and 28 are judged after the discontinuities of the joint side and after the elbow: "
        "range, then position-based envelope at the q_d before, without an opening row",
        "envelopes lose against discontinuities; the elbow's range is named before joint 3's "
        "(reference 000, row 17); the order is 12 before 13 of the joint interface",
        "a robot names 27 or 28 for a command that breaks an elbow row",
        "test_judge_joint_side.cpp: envelope"},
    Assumption{"C6",
               "a pose without joints (out of reach, singular) is not judged on its joint side; "
               "the joint history re-seeds over the next three that have some: position, velocity, "
               "acceleration",
               "reference 000: skipped, never latched; a difference across the gap is nobody's",
               "a robot aborts where its inverse kinematics fails",
               "test_judge_joint_side.cpp: without a solution"},
    Assumption{"C7",
               "the slack of the joint side is that of pose and elbow times the row norms of the "
               "inverse Jacobian, added; a solver that gives none has no slack",
               "the joints are computed from the rounded pose; row norms bound the product",
               "a robot refuses a joint step that is over a limit by less than that",
               "test_judge_cartesian_slack.cpp: Jacobian"},
    Assumption{
        "C8", "an elbow that is no longer commanded is forgotten; elbow_c is then the measured one",
        "the reference publishes the measured elbow while none is commanded",
        "a robot holds the last commanded elbow", "test_judge_elbow.cpp: forgotten"},
    Assumption{"C9", "a non-finite elbow is 18, the limits violation of the Cartesian generators",
               "it is the limits violation of the generator it arrived in", "a robot names 17",
               "test_judge_elbow.cpp: finite"},
    Assumption{
        "C10",
        "of the guesses made anew behind a late pose only the last three are solved for joints",
        "no difference reaches further back; where the redundancy is free the path of the "
        "skipped ones would differ by second order",
        "does not arise on a robot, which drops late commands",
        "test_judge_cartesian_losses.cpp: joint history whole"},
    Assumption{"C11", "28 latches alone; 13 brings 3, 28 leaves 3 to the measured velocity",
               "the pairing is reported for the joint generators only",
               "a robot shows joint_velocity_violation beside 28", "test_judge_joint_side.cpp: 28"},
    Assumption{"C13",
               "the sample that begins to command the elbow in a running motion, or ends it, "
               "re-seeds the joint history as a pose without joints does",
               "elbow_c is the measured elbow until then (reference 000, field table), beside "
               "q_d[2]; who copies it did as told, and other joints than before realise the pose",
               "a robot names 29 or 30 for an elbow that begins at elbow_c",
               "test_judge_elbow.cpp: measured elbow"},
    Assumption{"C14",
               "where the joints of a Cartesian motion jump (a rebased pose or elbow, a pose "
               "without joints) the arm, and q_d with it, joins them within half the limits of "
               "velocity, acceleration and jerk; it brakes at the whole ones",
               "no arm follows a step of 0.1 rad, and a robot's q_d has none; half leaves the rest "
               "to the commanded motion",
               "q_d of a robot that opens beside O_T_EE_d steps, or takes another time to join",
               "test_engine_cartesian.cpp: joins"},
    Assumption{
        "C15",
        "a Cartesian jerk over its limit is accepted where libfranka's limiter makes it: the "
        "acceleration after a step of legal jerk, shortened to jerk / acceleration times "
        "the speed left in its direction",
        "a limited stream is meant to be accepted, and turning at the speed limit that "
        "limiter exceeds the jerk by up to twice (random walks, in its shared library); on "
        "exact numbers nothing else takes its streams over a limit. On a 32-bit wire "
        "rounding can take a pose's rotation over that speed, where it lets the "
        "acceleration grow: refused as it is",
        "a robot names 20 for a stream that libfranka limits",
        "test_judge_cartesian_jerk.cpp: shortens"},
    Assumption{
        "A1",
        "an asynchronous Move may name either internal controller; with external torques it "
        "is an invalid argument",
        "libfranka's handler always sends joint impedance, but q_d means the same to both; a "
        "torque that is owed every cycle contradicts targets that are not",
        "a robot refuses Cartesian impedance here", "test_motion_arguments.cpp: asynchronous"},
    Assumption{"A2",
               "the way to a target uses the full acceleration and jerk limits, all joints arrive "
               "together where that can be had, and a new target is planned for from the moving "
               "reference",
               "only maximum_velocity is published (wire.md 5.9)",
               "a recorded asynchronous motion arrives earlier or later, or joint by joint",
               "test_control_target_planner.cpp: at once"},
    Assumption{"A3",
               "towards a stop the way decelerates with the greatest constant deceleration that "
               "stays 0.05 rad/s above the velocity envelope at most",
               "the envelope itself is zero on the last milliradians, and the safety controller "
               "allows 0.1 rad/s; the plan must not trip it",
               "a robot is faster near a stop, or refuses a target there",
               "test_engine_async.cpp: safety controller"},
    Assumption{"A4",
               "a finishing asynchronous command brakes the arm where it is on its way; a target "
               "outside the joint range is 12 under enforcement, else the end of the range",
               "who stops control wants it to stop, and libfranka sends zeros as q_c then; 12 is "
               "the row of q_c",
               "a robot goes on to the target, or names another error",
               "test_engine_async.cpp: finishing"},
    Assumption{"A5",
               "accelerometers publish the specific force, a minus g, in the axes of the sensor "
               "frames of franka_description",
               "neither sign nor axes are documented",
               "a resting FR3 reads -9.81 on an axis that "
               "points up",
               "test_robot_model.cpp: accelerometers"},
    Assumption{
        "A6",
        "SetGuidingMode's axes are those of O at the origin of EE, the elbow is joint 3; a "
        "locked direction is a spring of 3000 N/m or 300 Nm/rad on the pose it was locked at",
        "the frame is not documented; Desk shows base axes",
        "a robot guided along a turned flange's x moves along that",
        "test_control_guiding.cpp: locked"},
    Assumption{"A7", "the hand's F_T_NE is exactly -45 degrees about z",
               "Desk of an FR3 stores angles; the 0.7071 that recorded FERs publish is 9.6e-6 off "
               "unit norm, so that a product of two such fails libfranka's test of 1e-5",
               "an FR3 with the hand publishes 0.7071 in F_T_NE",
               "test_end_effector.py: desks preset"},
    Assumption{"M1",
               "a measured joint position counts as outside its range when it is 0.01 rad beyond",
               "a position commanded at the stop is legal and the arm rings about it",
               "a robot stops nearer to the stop", "test_judge_measured.cpp: range"},
    Assumption{"M2",
               "Cartesian position limits are a box on the origin of EE, off unless configured",
               "Desk's walls are not published; 1 names a position",
               "a robot watches other points as well", "test_judge_measured.cpp: box"},
    Assumption{"M3",
               "deviations compare the commanded pose with the measured one as norms, and joint 3; "
               "the first axis over its limit is named",
               "only the fields of Move are published", "a robot aborts at another distance",
               "test_judge_measured.cpp: deviation"},
    Assumption{
        "X1",
        "tau_ext_hat_filtered is a momentum observer of 50 1/s behind a first-order low-pass "
        "of 30 Hz, with link inertia and the configured end effector and load",
        "the field is published, the estimator is not; this is the usual structure, and the "
        "states of real robots agree with tau_J - gravity at rest",
        "the step response of a pushed robot is faster or slower than 25 ms",
        "test_control_external_torque.cpp: lag"},
    Assumption{"X2",
               "no wrench is estimated, all zeros, where a singular value of the Jacobian at K is "
               "below 0.02",
               "zeros near a singularity are documented, the distance is not",
               "a robot publishes a wrench nearer to one, or zeros further away",
               "test_control_external_torque.cpp: singular"},
    Assumption{
        "X3",
        "collisions compare K_F_ext_hat_K axis by axis; the acceleration thresholds apply "
        "while any ddq_d is above 0.05 rad/s^2, never under external torques",
        "moments about O would trip on any force far from it; the criterion of the phases is "
        "not published",
        "a robot trips on O_F_ext_hat_K, or on other thresholds in a phase",
        "test_judge_contact.cpp: phase"},
    Assumption{"X4",
               "collisions are watched in motions and at rest, enforced whatever the switches say; "
               "what is over its threshold in Reflex, recovery, user stop, guiding or with closed "
               "brakes trips again only once it was below",
               "the thresholds are the client's own, not a limit of its commands; without the "
               "excuse a recovery under load could never end",
               "a robot refuses to recover while it is pushed, or stays Idle when it is",
               "test_judge_contact.cpp: excused"},
};

}  // namespace fsim::judge
