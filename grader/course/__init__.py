"""What an assignment is: its declaration, files, cases and targets, and plans and results.

The plain types that all other folders pass on (Assignment, Plan, CaseResult) are defined here.
"""
