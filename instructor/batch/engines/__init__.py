"""Where submissions are graded: in processes of this machine, or as jobs of Slurm."""
