#!/bin/bash
#SBATCH -n2 -t5
#SBATCH --comment="a b"
true
#SBATCH -n7
