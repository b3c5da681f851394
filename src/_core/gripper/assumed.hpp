// Where the hand had to decide what no document settles; the form is that of judge/assumed.hpp.
#pragma once

#include <array>

namespace fsim::gripper {

struct Assumption {
  const char* id;
  const char* what;
  const char* why;
  const char* wrong_if;
  const char* test;  ///< file and a word of the test's name
};

inline constexpr std::array kAssumed{
    Assumption{"G1",
               "a move or a homing that something stops short of its end is kUnsuccessful: the "
               "call returns false",
               "the status exists for what ran and did not get there, as for a grasp",
               "a robot answers kSuccess or kFail to a blocked move",
               "test_gripper_hand.cpp: blocked move"},
    Assumption{"G2", "the object of --gripper-object-width is held aside while the hand homes",
               "examples home first; nobody homes a hand around an object",
               "does not arise on a robot", "test_gripper_hand.cpp: held aside"},
    Assumption{"G3",
               "stop while something is held ends the grasp (is_grasped is false) and leaves the "
               "fingers and what they press where they are",
               "stop halts in place; the object stays held in reality (reference 000)",
               "a robot's width or is_grasped after stop says otherwise",
               "test_gripper_hand.cpp: stop after a grasp"},
    Assumption{"G4",
               "a client that leaves ends nothing: its command runs on, what is held stays held",
               "a program that ends must not drop what it picked",
               "a robot halts when the connection closes", "test_gripper_clients.py: leaves"},
    Assumption{"G5",
               "the case warms by 30 K under 70 N (with the force squared) and by 10 K in motion, "
               "with a time constant of 300 s, and refuses to work from 80 to below 70 degC",
               "only 30 degC at rest is reported; 70 N is the continuous force, 140 N the peak",
               "recorded temperatures under load leave this law", "test_gripper_hand.cpp: warms"},
    Assumption{"G6",
               "a hand without power or too warm fails commands and the running one with kFail, "
               "answers stop with kSuccess, and knows no max_width after a power cycle",
               "max_width is 0 after power-up; kFail is the status of what cannot be carried out",
               "a robot closes the connection or answers otherwise",
               "test_gripper_hand.cpp: without power"},
    Assumption{"G7", "message_id counts the milliseconds of the simulated world",
               "libfranka makes its GripperState::time of it, in ms",
               "a recorded stream counts datagrams", "test_gripper_server.py: 60 hz"},
    Assumption{"V1", "the four profiles of a new pump are alike: H2 550 mbar, h2 10 mbar",
               "they are settings of the pump's owner, and no manual was found",
               "a pump's P1 to P3 differ from P0", "test_gripper_pump.cpp: profile"},
    Assumption{"V2",
               "stop switches the pump off and leaves its valve closed: a held part stays until "
               "its vacuum has leaked away, with a time constant of 60 s",
               "stop ends an operation; letting go is dropOff", "a robot drops the part at once",
               "test_gripper_pump.cpp: stop"},
    Assumption{"V3",
               "vacuum that is not established within its timeout is kUnsuccessful and switches "
               "the pump off",
               "the call returns false; nothing says that the pump goes on",
               "a robot goes on evacuating", "test_gripper_pump.cpp: timeout"},
};

}  // namespace fsim::gripper
