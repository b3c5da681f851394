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
};

}  // namespace fsim::judge
