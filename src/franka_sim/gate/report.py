"""What a comparison says: a table for people, JUnit XML, JSON and the JSON of CI dashboards.

Must not decide anything.
"""

from __future__ import annotations

import dataclasses
import math
import xml.etree.ElementTree as ET
from typing import Any

from franka_sim.gate.runs import METRICS, Comparison
from franka_sim.gate.statistics import FALSE_ALARMS

_HEADER = ("metric", "unit", "base", "candidate", "change", "p", "verdict")
#: What stands in every report: which test it was.
METHOD = "exact signed-rank test on the differences of pairs whose order was drawn; larger is worse"


def table(comparison: Comparison) -> str:
    """Return the table, and one line that says what follows from it."""
    rows = [_HEADER, *(_row(comparison, name) for name in comparison.verdicts)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADER))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
             for row in rows]  # fmt: skip
    return "\n".join([*lines, "", conclusion(comparison)])


def conclusion(comparison: Comparison) -> str:
    """Return the one sentence of the table."""
    pairs = f"{comparison.plan.runs} pairs, false alarms {FALSE_ALARMS:.1%}"
    if comparison.regressed:
        return f"regression proven in {', '.join(comparison.regressions)} ({pairs})"
    if comparison.advice:
        return f"no regression proven, but look at {', '.join(comparison.advice)} ({pairs})"
    return f"no regression proven ({pairs})"


def change(comparison: Comparison, name: str) -> str:
    """Return the change of a metric: in percent, or in its unit where it may be zero."""
    value = comparison.verdicts[name].change
    return f"{math.expm1(value):+.1%}" if METRICS[name].relative else f"{value:+.3g}"


def _row(comparison: Comparison, name: str) -> tuple[str, ...]:
    verdict = comparison.verdicts[name]
    word = "no regression"
    if verdict.proven:
        word = "REGRESSION" if METRICS[name].decides else "advises: worse"
    return (
        name,
        METRICS[name].unit,
        f"{comparison.median('base', name):.1f}",
        f"{comparison.median('candidate', name):.1f}",
        change(comparison, name),
        f"{verdict.p:.4f}",
        word,
    )


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Return everything, every run included, as values for JSON."""
    return {
        "format": "franka_sim gate 1",
        "method": METHOD,
        "false_alarm_rate": FALSE_ALARMS,
        "level_of_a_deciding_metric": comparison.plan.level,
        "plan": dataclasses.asdict(comparison.plan) | {"seed": comparison.seed},
        "regressed": comparison.regressed,
        "metrics": {
            name: {
                "unit": METRICS[name].unit,
                "decides": METRICS[name].decides,
                "base": [run[name] for run in comparison.base],
                "candidate": [run[name] for run in comparison.candidate],
                "change": math.expm1(v.change) if METRICS[name].relative else v.change,
                "change_is": "ratio" if METRICS[name].relative else "difference",
                "p": v.p,
                "proven": v.proven,
            }
            for name, v in comparison.verdicts.items()
        },
    }


def smaller_is_better(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the candidate's medians as ``customSmallerIsBetter`` of github-action-benchmark."""
    return [
        {
            "name": name,
            "unit": METRICS[name].unit,
            "value": comparison.median("candidate", name),
            "extra": f"base {comparison.median('base', name):g}, change "
            f"{change(comparison, name)}, p {comparison.verdicts[name].p:.4f}",
        }
        for name in comparison.verdicts
    ]


def junit(comparison: Comparison) -> str:
    """Return JUnit XML: a test case a metric, failed when it decides and is proven worse."""
    failed = len(comparison.regressions)
    suite = ET.Element(
        "testsuite",
        name="franka-sim gate",
        tests=str(len(comparison.verdicts)),
        failures=str(failed),
        errors="0",
        skipped="0",
    )
    for name, verdict in comparison.verdicts.items():
        case = ET.SubElement(suite, "testcase", classname="franka_sim.gate", name=name)
        text = ", ".join(f"{k} {v}" for k, v in zip(_HEADER[1:], _row(comparison, name)[1:],
                                                    strict=True))  # fmt: skip
        if verdict.proven and METRICS[name].decides:
            ET.SubElement(case, "failure", message=f"{change(comparison, name)}").text = text
        ET.SubElement(case, "system-out").text = text
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
