"""Compliance suites and builders that plug-in authors run against their own plug-ins."""
