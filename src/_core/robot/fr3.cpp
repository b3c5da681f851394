// What an FR3 is, as one constant. Must hold numbers only.
// Generated from src/franka_sim/robots/fr3.json by tools/generate_robot.py, checked by
// tests/unit/test_robot_description.py. Sources by short name: see the json.
#include <string_view>

#include "robot/model.hpp"

namespace fsim::robot {

// clang-format off
constexpr RobotType kFr3{
    .name = "fr3",
    // description_1, description_2 and libfranka agree
    .joint_origin = {{
        {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.333, 1.0},
        {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0},
        {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -0.316, 0.0, 1.0},
        {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0825, 0.0, 0.0, 1.0},
        {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, -0.0825, 0.384, 0.0, 1.0},
        {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0},
        {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.088, 0.0, 0.0, 1.0}}},
    // description_1, description_2 and libfranka agree
    .flange_origin = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.107, 1.0},
    // description_1, description_2 and libfranka agree; reproduces the gravity torque of a recorded FR3 to 0.017 Nm rms
    .links = {{
        {2.9274653454, {4.128e-07, -0.0181251324, -0.038603597},
         {0.023927316485107913, 1.3317903455714081e-05, -0.00011404774918616684, 0.0224821613275756, -0.0019950320628240115, 0.006350098258530016}},
        {2.9355370338, {0.0031828864, -0.0743221644, 0.0088146084},
         {0.041938946257609425, 0.00020257331521090626, 0.004077784227179924, 0.02514514885014724, -0.0042252158006570156, 0.06170214472888839}},
        {2.2449013699, {0.0407015686, -0.0048200565, -0.0289730823},
         {0.02410142547240885, 0.002404694559042109, -0.002856269270114313, 0.01974053266708178, -0.002104212683891874, 0.019044494482244823}},
        {2.6155955791, {-0.0459100965, 0.063049296, -0.0085187868},
         {0.03452998321913202, 0.01322552265982813, 0.01015142998484113, 0.028881621933049058, -0.0009762833870704552, 0.04125471171146641}},
        {2.3271207594, {-0.0016039605, 0.0292536262, -0.097296599},
         {0.051610278463662895, -0.005715173387783472, -0.0035673167625872135, 0.04787729713371481, 0.010673985108535986, 0.016423625579357254}},
        {1.8170376524, {0.0597131221, -0.0410294666, -0.0101692726},
         {0.005412333594383447, 0.006193456360285834, 0.0014219289306117652, 0.014058329545509979, -0.0013140753741120031, 0.016080817924212554}},
        {0.6271432862, {0.0045225817, 0.0086261921, -0.0161633251},
         {0.00021092389150104718, -2.433299114461931e-05, 4.564480393778983e-05, 0.00017718568002411474, 8.744070223226438e-05, 5.993190599659971e-05}}}},
    // chosen: capsules fitted to the collision hulls, 95 % of each hull within 26 mm of a primitive; protrusion: the 95th percentile of what a hull stands out, links 0 to 7
    .shapes = {{
        {0, ShapeKind::kCapsule, {-0.09, 0.0, 0.06}, {-0.05, 0.0, 0.06}, 0.062},
        {0, ShapeKind::kCapsule, {0.0, 0.0, 0.07}, {0.0, 0.0, 0.075}, 0.075},
        {0, ShapeKind::kBox, {-0.04, 0.0, 0.035}, {0.112, 0.094, 0.035}, 0.0},
        {1, ShapeKind::kCapsule, {0.0, 0.0, -0.137}, {0.0, 0.0, 0.0}, 0.057},
        {1, ShapeKind::kCapsule, {0.0, -0.073, 0.0}, {0.0, 0.0, 0.0}, 0.057},
        {2, ShapeKind::kCapsule, {0.0, -0.137, 0.0}, {0.0, 0.0, 0.0}, 0.057},
        {2, ShapeKind::kCapsule, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.073}, 0.057},
        {3, ShapeKind::kCapsule, {0.0, 0.0, -0.068}, {0.0, 0.0, 0.0}, 0.057},
        {3, ShapeKind::kCapsule, {0.0, 0.0, 0.0}, {0.0825, 0.02, 0.0}, 0.055},
        {3, ShapeKind::kCapsule, {0.0825, 0.0, 0.0}, {0.0825, 0.055, 0.0}, 0.057},
        {4, ShapeKind::kCapsule, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.055}, 0.057},
        {4, ShapeKind::kCapsule, {0.0, 0.0, 0.0}, {-0.0825, 0.02, 0.0}, 0.055},
        {4, ShapeKind::kCapsule, {-0.0825, 0.01, 0.0}, {-0.0825, 0.067, 0.0}, 0.057},
        {5, ShapeKind::kCapsule, {0.0, 0.0, -0.204}, {0.0, 0.01, -0.19}, 0.057},
        {5, ShapeKind::kCapsule, {0.0, 0.02, -0.19}, {0.0, 0.065, -0.09}, 0.052},
        {5, ShapeKind::kCapsule, {0.0, 0.07, -0.1}, {0.0, 0.08, 0.0}, 0.05},
        {5, ShapeKind::kCapsule, {0.0, 0.0, 0.0}, {0.0, 0.08, 0.0}, 0.052},
        {6, ShapeKind::kCapsule, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.005}, 0.052},
        {6, ShapeKind::kCapsule, {0.0, 0.0, 0.0}, {0.088, 0.0, 0.003}, 0.047},
        {6, ShapeKind::kCapsule, {0.088, 0.0, 0.003}, {0.088, 0.035, 0.003}, 0.047},
        {7, ShapeKind::kCylinder, {0.0, 0.0, 0.05}, {0.0, 0.0, 0.107}, 0.045},
        {7, ShapeKind::kCapsule, {0.01414, 0.01414, 0.08}, {0.05515, 0.05515, 0.08}, 0.026}}},
    .hull_protrusion = {0.0065, 0.0158, 0.0168, 0.0152, 0.0162, 0.0151, 0.0141, 0.0074},
    // velocity, acceleration, jerk, torque, torque_rate: libfranka rate_limiting.h, fci_docs; positions and envelope: libfranka test/fr3.urdf, rate_limiting.h
    .limits = {
        .lower = {-2.7501, -1.7918, -2.9065, -3.0481, -2.8101, 0.54092, -3.0196},
        .upper = {2.7501, 1.7918, 2.9065, -0.1458, 2.8101, 4.5205, 3.0196},
        .velocity = {2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26},
        .acceleration = {10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0},
        .jerk = {5000.0, 5000.0, 5000.0, 5000.0, 5000.0, 5000.0, 5000.0},
        .torque = {87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0},
        .torque_rate = {1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0},
        .velocity_offset = {0.3, 0.2, 0.2, 0.3, 0.35, 0.35, 0.35},
        .deceleration = {6.0, 2.585, 3.5, 4.0, 17.0, 5.5, 17.0},
        .position_based = true},
    // libfranka rate_limiting.h, fci_docs; elbow: libfranka rate_limiting.h kMaxElbowVelocity, kMaxElbowAcceleration, kMaxElbowJerk; velocity_docs: fci_docs
    .cartesian = {
        .translation = {3.0, 9.0, 4500.0},
        .rotation = {2.5, 17.0, 8500.0},
        .elbow = {1.5, 10.0, 5000.0}},
    // menagerie: what Franka's inner torque loop and friction compensation leave of the motor
    .armature = {0.195, 0.195, 0.195, 0.195, 0.074, 0.074, 0.074},
    .coulomb = {1.137, 1.137, 1.137, 1.137, 0.763, 0.44, 0.248},
    .viscous = {0.21, 0.21, 0.21, 0.21, 0.21, 0.21, 0.21},
    // recorded: tau_J / (theta - q); joints 5 to 7 are known to about 5 %
    .K_joint = {14250.0, 14250.0, 14250.0, 14250.0, 9000.0, 9000.0, 9000.0},
    // libfranka: elbow[1] = sign(q4 - flip_q4)
    .elbow_flip_q4 = -0.467002423653011,
    // libfranka examples
    .q_ready = {0.0, -0.7853981633974483, 0.0, -2.356194490192345, 0.0, 1.5707963267948966, 0.7853981633974483},
    // ranges: libfranka robot.h; defaults: libfranka examples_common.cpp, named the defaults in franka_ros issue 349
    .K_theta = {3000.0, 3000.0, 3000.0, 2500.0, 2500.0, 2000.0, 2000.0},
    .K_x = {3000.0, 3000.0, 3000.0, 300.0, 300.0, 300.0},
    // chosen: the values franka_ros sets at start; the robot's own boot values are not published
    .collision_torque = {20.0, 20.0, 18.0, 18.0, 16.0, 14.0, 12.0},
    .collision_force = {20.0, 20.0, 20.0, 25.0, 25.0, 25.0},
};
// clang-format on

const RobotType* find_robot(const char* name) noexcept {
  return name != nullptr && std::string_view(name) == kFr3.name ? &kFr3 : nullptr;
}

}  // namespace fsim::robot
