"""Compliance suites that plug-in authors run against their own plug-ins."""
