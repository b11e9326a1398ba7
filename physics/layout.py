"""Columns of the arrays that the kernels share, and the small numbers of the engine."""

from typing import Final

# A row of the state array: one ball.
POS: Final = 0  # .. 2, at T0 (m)
VEL: Final = 3  # .. 5 (m/s)
ACC: Final = 6  # .. 8 (m/s^2), constant in the piece
SPIN: Final = 9  # .. 11 (rad/s)
SPIN_ACC: Final = 12  # .. 14 (rad/s^2), constant in the piece
T0: Final = 15  # start of the piece (s)
MOTION: Final = 16
T_END: Final = 17  # when the piece ends by itself (s)
END_KIND: Final = 18
RADIUS: Final = 19
MASS: Final = 20
HOLE: Final = 21  # pocket that the ball is falling into, -1 for none
FEATURE_T: Final = 22  # next contact with something that is no ball (s)
FEATURE: Final = 23  # its kind
FEATURE_ID: Final = 24  # and which of that kind
TAPS: Final = 25  # taps while pressed against something
LIP: Final = 26  # 1 for a ball that rests on the rounded edge of a slate cut as it moves, else -1
LIP_VEL: Final = 27  # .. 29: its velocity at the end of the piece (m/s)
LIP_SPIN: Final = 30  # .. 32: and its spin (rad/s)
HELD: Final = 33  # 1 for a ball that lies still off the bed, held by what it touches
STAY: Final = 34  # .. 36: where it was when it last had moved by STAY_FAR
STAY_T: Final = 37  # and when (s)
STAY_HITS: Final = 38  # contacts since then
PERCH: Final = 39  # on the top of a rail: 1 while it rolls there, 0 while it slides, -1 elsewhere
PERCH_VEL: Final = 40  # .. 42: velocity at the end of a piece on the top of a rail (m/s)
# The tip of the cue that struck this ball, while it follows through.
TIP_UNTIL: Final = 43  # when it has stopped (s); negative: there is none
TIP_T0: Final = 44  # when it was at TIP_POS with TIP_SPEED (s)
TIP_POS: Final = 45  # .. 47, centre of the sphere (m)
TIP_DIR: Final = 48  # .. 50, unit vector along the stroke
TIP_SPEED: Final = 51  # m/s
TIP_SLOWS: Final = 52  # what the arm takes of it (m/s^2)
TIP_RADIUS: Final = 53  # m
TIP_MASS: Final = 54  # of the cue (kg)
TIP_E: Final = 55
TIP_MU: Final = 56
TIP_FIRST: Final = 57  # start of the tip contact that goes on (s)
TIP_LAST: Final = 58  # its last impulse (s)
TIP_HITS: Final = 59  # impulses after the blow
TIP_TOLD: Final = 60  # 1: the contact was told to be a long one
PATH_ENERGY: Final = 61  # at the start of a piece about an edge or on a rail (J/kg)
STOOD: Final = 62  # taps of a ball that leans on others, so far
STAY_ON: Final = 63  # ball on which it last leaned
LINED: Final = 64  # hits on the liners of pockets
STATE_WIDTH: Final = 65

# Motions: the values of physics.state.Motion.
REST: Final = 0
SPINNING: Final = 1
ROLL: Final = 2
SLIDE: Final = 3
AIR: Final = 4
POCKETED: Final = 5
OFF_TABLE: Final = 6

# How a piece ends by itself.
END_NONE: Final = 0
END_SLIP: Final = 1
END_SPIN: Final = 2
END_ROLL: Final = 3
END_LIP: Final = 4
END_PERCH: Final = 5

# Kinds of features.
F_NONE: Final = 0
F_EDGE: Final = 1
F_CORNER: Final = 2
F_DROP: Final = 3
F_LINER: Final = 4
F_SUNK: Final = 5
F_BED: Final = 6
F_TOP: Final = 7
F_FLOOR: Final = 8
F_PAIR: Final = 9
F_TIP: Final = 10  # the tip of the cue that struck ball FEATURE_ID
F_RIM: Final = 11  # the rounded edge of a slate cut, from the air
F_FACE: Final = 12  # a facing's face, and
F_POST: Final = 13  # the edge at either end of it: 2 edge + end

# Kinds in the event log; contacts keep their feature's number.
E_ROLL_ONSET: Final = 20
E_STOP: Final = 21
E_TAKEOFF: Final = 22
E_OFF_TABLE: Final = 23
E_RECONTACT: Final = 24  # the tip meets the ball that it struck a second time
E_LONG_CONTACT: Final = 25  # and stays on it for longer than in a normal stroke
E_TIP_ON_OTHER: Final = 26  # the tip meets another ball

# Edges: a row each.
EDGE_X: Final = 0  # start
EDGE_Y: Final = 1
EDGE_TX: Final = 2  # unit vector along
EDGE_TY: Final = 3
EDGE_NX: Final = 4  # unit normal, into the table
EDGE_NY: Final = 5
EDGE_LEN: Final = 6
EDGE_CUSHION: Final = 7  # which of the cushions it belongs to
EDGE_RAIL: Final = 8  # index in RAILS, or -1 for a facing
EDGE_POCKET: Final = 9  # index in POCKETS, or -1 for a rail
EDGE_WIDTH: Final = 10

# Corners (jaw points, ends of facings).
CORNER_X: Final = 0
CORNER_Y: Final = 1
CORNER_CUSHION: Final = 2
CORNER_POCKET: Final = 3
CORNER_RADIUS: Final = 4  # of a rounded jaw about that point, 0 for a sharp one
CORNER_DX: Final = 5  # unit vector to the middle of the arc
CORNER_DY: Final = 6
CORNER_COS: Final = 7  # cosine of half the angle that the arc spans; -1 for a sharp corner
CORNER_WIDTH: Final = 8

# Holes.
HOLE_X: Final = 0
HOLE_Y: Final = 1
HOLE_RADIUS: Final = 2  # of the slate cut
HOLE_MX: Final = 3  # middle of the mouth
HOLE_MY: Final = 4
HOLE_AX: Final = 5  # unit vector of the axis, into the pocket
HOLE_AY: Final = 6
HOLE_HALF: Final = 7  # half the mouth
HOLE_THROAT: Final = 8  # how far behind the mouth line the facings end and the liner begins
HOLE_LINER: Final = (
    9  # radius of the liner at its top, where the facings' ends and the wood meet it
)
HOLE_WIDTH: Final = 10

# Faces, edges and points of the rails from the nose line outwards (``physics.rail_mesh``).
TOP_KIND: Final = 0
TOP_A: Final = 1  # .. 3
TOP_B: Final = 4  # .. 6
TOP_C: Final = 7  # .. 9
TOP_N: Final = 10  # .. 12: unit normal of a face, out of the rail; direction of an edge
TOP_LEN: Final = 13  # of an edge
TOP_WOOD: Final = 14  # 1 for wood, 0 for the cloth of a cushion
TOP_RAIL: Final = 15  # index in RAILS, or -1
TOP_POCKET: Final = 16  # index in POCKETS, or -1
TOP_LOW: Final = 17  # .. 19: the box that holds it
TOP_HIGH: Final = 20  # .. 22
TOP_WIDTH: Final = 23
FACE: Final = 0
RIDGE: Final = 1
POINT: Final = 2

# Parameters.
MU_SLIDE: Final = 0
MU_ROLL: Final = 1
SPIN_DECEL: Final = 2
GRAVITY: Final = 3
E_BALL: Final = 4
MU_A: Final = 5
MU_B: Final = 6
MU_C: Final = 7
E_CUSHION: Final = 8  # negative: the engine's own law
MU_CUSHION: Final = 9
E_BED: Final = 10
NOSE: Final = 11
HALF_LENGTH: Final = 12
HALF_WIDTH: Final = 13
BOUNDED: Final = 14
FLOOR: Final = 15  # how far the floor lies under the bed
LONG_CONTACT: Final = 16  # s: a longer tip contact is longer than normal
DRAFT_COS: Final = 17  # of the back draft of the facings
DRAFT_SIN: Final = 18
LINER_COS: Final = 19  # of the lean of the liner over the pocket
LINER_SIN: Final = 20
LINER_TAN: Final = 21
E_LINER: Final = 22
LINER_TOP: Final = 23  # height of the liner above the cloth
DEPTH: Final = 24  # under the bed, where a ball counts as pocketed
RAIL_WIDTH: Final = 25  # m, from the nose lines to where the rails end
PARAMETERS: Final = 26

# A contact handed to Bullet.
C_KIND: Final = 0
C_A: Final = 1
C_B: Final = 2  # other ball, or number of the feature
C_N: Final = 3  # .. 5: unit normal, from a to b, or out of the surface
C_SPEED: Final = 6  # of approach along the normal, positive
C_MU: Final = 7
C_E: Final = 8  # restitution; over 1 where something presses
C_REL: Final = 9  # .. 11: velocity of a relative to b
C_SPIN_A: Final = 12  # .. 14
C_SPIN_B: Final = 15  # .. 17
C_CUSHION: Final = 18
C_POS: Final = 19  # .. 21: centre of a
C_ON_BED: Final = 22  # 1: the bed is under the ball and takes part
C_LEANS: Final = 23  # 1: a gentle tap of a ball that leans on another (``physics.leaning``)
C_FINE: Final = 24  # 1: not for Bullet, answered in closed form (``physics.closed_form``)
CONTACT_WIDTH: Final = 25
ROUND_ROWS: Final = 32  # contacts of one round; Bullet's collision masks have as many bits

# What comes back.
J_NORMAL: Final = 0
J_TANGENT: Final = 1
J_DIR: Final = 2  # .. 4: direction of the tangential impulse on a
J_OWN_FRICTION: Final = 5  # 1: the friction is left to our law
IMPULSE_WIDTH: Final = 6

# Counters that the kernel and its caller share.
N_PIECES: Final = 0
N_EVENTS: Final = 1
ROUND: Final = 2
N_CONTACTS: Final = 3
AT_ONCE: Final = 4  # rounds so far at the present instant
MOST_EVENTS: Final = 5  # after which the run is cut
COUNTERS: Final = 6

# Why the kernel came back.
QUIET: Final = 0
ASK: Final = 1
LIMIT: Final = 2
FULL: Final = 3
SPENT: Final = 4

# Log of pieces: ball, start, pos, vel, acc, spin, spin_acc, motion, hole.
PIECE_WIDTH: Final = 19
# Log of events: kind, time, ball index, other (ball index or feature), round, then
# pos, vel, spin, motion of a before, a after, b before, b after.
EVENT_HEAD: Final = 5
STATE_LOG: Final = 10
EVENT_WIDTH: Final = EVENT_HEAD + 4 * STATE_LOG

# Tolerances.
TOUCH: Final = 1e-9  # m: nearer than this is touching
GRAZE: Final = 1e-12  # m: a pass less deep than this is a miss
CREEP: Final = 1e-7  # m/s: slower than this is no approach
STILL: Final = 1e-9  # m/s: slip or speed that counts as none
SAME_TIME: Final = 1e-11  # s: contacts nearer in time than this are one round
INSTANT: Final = 2e-6  # s: rounds that follow each other faster are those of one instant
AFTER_WAVE: Final = 0.02  # of the fastest approach in a round: slower pairs wait for the next
NO_APPROACH: Final = 1e-12  # m/s: what stands for the speed of things that only press
SHALLOW: Final = 1e-10  # m: an overlap that matters to nothing
PRESSING: Final = -1e-4  # m/s^2: a weaker pull than this presses faintly
PRESS_FAINT: Final = 1e-5  # m/s: what presses faintly parts with this
# J/kg: taps may make this much where there is no spin to pay with, or they could not part at all.
PRESS_FREE: Final = 5e-13
PRESS_BALL: Final = 0.008  # m/s: balls that press on each other part with at least this
PRESS_RAIL: Final = 0.010  # m/s: the same at a cushion
PRESS_GROWTH: Final = 8.0  # taps after which both have doubled, tripled, ...
STEEP: Final = 0.05  # sine of a line of centres that is no longer level
# m: a ball that leans on another is let in by so much where its hop would be too low to be played.
SINK: Final = 1e-6
LEANS_STILL: Final = 0.5  # of SINK: the height of such a hop
# Of SINK: lower hops of a leaning ball lose nothing.  Two that fall by a SINK each and meet, in a
# tower, do so at the speed of four; at four they would lose it all where e_ball is 0, and sink.
LEANS_GENTLY: Final = 8.0
# Nobody balances a ball: one that meets another within BALANCE of straight above does so by TILT.
BALANCE: Final = 2e-3
TILT: Final = 5e-3
LEAST_HOP: Final = 0.2  # m/s: the cloth swallows less upward speed than this
LEAST_BED_BOUNCE: Final = 0.08  # m/s
LEAST_TOP_BOUNCE: Final = 0.15  # m/s: a ball that bounces less on a rail slides or rolls on it
# Wood is harder and smoother than cloth over slate.  No source: a ball drops dead on neither, and
# lacquered wood lets it roll about three times as far as cloth does.
E_WOOD: Final = 0.6
WOOD_ROLL: Final = 0.3  # of the cloth's mu_roll
# Facings are thin hard rubber and give back this share of a cushion's restitution.  No source: it
# keeps the slow pocket windows inside P02 and P04; with 0.65 a break makes a twentieth fewer balls.
JAW_SHARE: Final = 0.65
EDGE_NEAR: Final = 2e-5  # m: a ball nearer than this to the rounded edge touches it
LEAST_TAP: Final = 0.02  # m/s: slower taps in a pocket lose nothing,
LEAST_PART: Final = 0.004  # m/s: and things part with this at least
# Hits on a liner after which these taps grow: what circles in a pocket at tens of m/s has many.
LINED_LONG: Final = 300
STAY_FAR: Final = 1e-4  # m: a ball that moves less than this in
STAY_LONG: Final = 0.05  # s, off the bed, is held by what it touches;
STAY_MOST: Final = 200  # so is one that has met as many things meanwhile, and is slower than
STAY_SLOW: Final = 0.05  # m/s
WAKES: Final = 0.02  # m/s: a held ball hit so that it moves faster is free again
PROPPED_MOST: Final = 60  # taps by turns on one ball and another: who moves as little is held, too,
PROPPED_WAKES: Final = 0.002  # m/s: unless hit so that it moves faster
EDGE_ROUND: Final = 0.0048  # m, radius of the slate cut's edge (REFERENCES 1.2)
CUSHION_DEPTH: Final = 0.0508  # m, feather strip to nose; throats lie this far behind the nose
LONGEST_RUN: Final = 1e4  # s: nothing is looked for further ahead, so no run may last longer
NEVER: Final = 1e300
