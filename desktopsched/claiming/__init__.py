"""Which starts of a shared list this computer performs: ties the engine, which asks, and the stores, which know.

Free of Qt, of files and of processes. One thread, the keeper's, tells the store that this computer lives and how its
runs ended, and looks how those of others end; the engine's own threads claim. Nothing of this exists where nobody
shares the list.
"""
