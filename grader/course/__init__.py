"""What an assignment is: its declaration, files, cases and targets, and what is planned and found.

The plain types that all other rooms pass on (Assignment, Plan, CaseResult) live here.
"""
