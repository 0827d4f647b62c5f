"""A process that kills itself at one of its statements, as lines of a program that a row starts."""

from __future__ import annotations

AT_A_STATEMENT = """
import os
import psycopg
left, wait = {statement}, psycopg.Connection.wait
def watched(connection, *arguments, **options):
    global left
    left -= 1
    if left == 0 and {before}:
        os.kill(os.getpid(), 9)
    answer = wait(connection, *arguments, **options)
    if left == 0:
        os.kill(os.getpid(), 9)
    return answer
"""
"""``watched`` in the place of ``psycopg.Connection.wait`` kills at round trip ``statement``, ``before`` it or after."""
