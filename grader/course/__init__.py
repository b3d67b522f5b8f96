"""An assignment's declaration, files, cases and targets, and the plans and results of a check.

Defines the plain types that all other folders pass on (Assignment, Plan, CaseResult).
"""
