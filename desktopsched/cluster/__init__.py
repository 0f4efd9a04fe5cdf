"""Commands and scripts on a Dask cluster. The one room that imports dask and distributed, and only once it is used.

What runs where: `follow` here, on the run's pool thread; `relay` in a worker of the cluster; `errand` beside that, in a
process of its own, which does what a supervisor does here. A worker needs Dask alone: the rest is sent to it.
"""
