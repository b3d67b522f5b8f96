"""`make report`: the last results as a self-contained page."""

from grader.report.material import Material, PartMaterial
from grader.report.page import render_report

__all__ = ["Material", "PartMaterial", "render_report"]
