"""What is heard: a shot's contacts and its rolling balls, and signals beside what is seen.

:mod:`client.sound.cues`, ``rolling`` and ``alerts`` are pure: from a trajectory, or from a table,
to what should sound.  :class:`client.sound.mixer.Mixer` has the sound device,
:class:`client.sound.desk.SoundDesk` puts them together once a frame.
"""
