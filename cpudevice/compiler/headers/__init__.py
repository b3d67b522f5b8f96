"""The headers that programs include. Each module uses only those above it:

folders.py        the folders, and the headers that only forward
precompiled.py    the headers that every .cu file begins with, parsed once
toolkit.py        keeps an installed CUDA toolkit's headers from being used by mistake
"""
