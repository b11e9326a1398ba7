"""The bench runs and says what it measured."""

from physics.bench import SHOTS, bench_physics, percentile


def test_the_bench_measures_the_four_shots():
    report = bench_physics(runs=2, breaks=3, memory_shots=20, cold=False)
    assert [t.name for t in report.timings] == list(SHOTS)
    assert all(0 < t.median_ms <= t.max_ms and t.events > 5 and t.bytes > 100
               for t in report.timings)  # fmt: skip
    assert 20 < report.memory_mb[1] <= report.memory_mb[2]
    assert 500 < report.ordinary_bytes[0] + report.break_bytes[0] < 6000
    text = str(report)
    assert "fresh process" in text and "slowest" in text
    assert all(name in text for name in SHOTS)


def test_percentiles():
    assert percentile([3.0, 1.0, 2.0, 4.0], 0.5) == 3.0
    assert percentile([1.0], 0.95) == 1.0
