#!/bin/bash
#SBATCH --bogus
true
