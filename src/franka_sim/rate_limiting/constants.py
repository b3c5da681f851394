"""What libfranka's limiters and filters use on every robot. Source: libfranka 0.21.3
rate_limiting.h and lowpass_filter.h; the same in 0.9.2."""

#: One cycle [s].
DELTA_T = 1e-3
#: How far below a nominal limit the constants stay, in each limit's unit.
LIMIT_EPS = 1e-3
#: A vector shorter than this has no direction: the f64 epsilon.
NORM_EPS = 2.0**-52
#: Applied by `limit_rate_cartesian_pose` to the three rotational limits.
FACTOR_CARTESIAN_ROTATION_POSE_INTERFACE = 0.99
#: From here on the low-pass is off [Hz].
MAX_CUTOFF_FREQUENCY = 1000.0
#: The default of libfranka's `cutoff_frequency` [Hz].
DEFAULT_CUTOFF_FREQUENCY = 100.0
