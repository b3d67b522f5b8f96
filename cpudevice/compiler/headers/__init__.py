"""The headers that programs include. Each module uses only the modules above:

folders.py        the folders, and the headers that only forward
precompiled.py    the first headers of every .cu file, parsed once
toolkit.py        keeps an installed CUDA toolkit's headers from being used by mistake
"""
