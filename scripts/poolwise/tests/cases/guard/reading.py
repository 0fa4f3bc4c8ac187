"""Asks at import for what nobody answers."""

name = input("your name? ")


def handle(number):
    return number
