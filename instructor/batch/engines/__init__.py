"""The engines, which grade submissions: processes of the local machine, or jobs of Slurm."""
