#!/bin/bash
# JupyterLab on the GPU of a job, for as long as the time limit says: sbatch notebook.sh, then read notebook-JOB.log.
#SBATCH --job-name=notebook
#SBATCH --gpus=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=16G
#SBATCH --time=4:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --output=notebook-%j.log

port=$((20000 + SLURM_JOB_ID % 20000))
node=$(hostname)
JUPYTER_TOKEN=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
export JUPYTER_TOKEN

# Others may read the log, and see the arguments of programs: the token is in a file that only its owner reads.
card=$HOME/.notebook-$SLURM_JOB_ID
(umask 077 && echo "http://127.0.0.1:$port/lab?token=$JUPYTER_TOKEN" > "$card")

echo "1. On your own machine:  ssh -N -J $SLURM_SUBMIT_HOST -L $port:127.0.0.1:$port $USER@$node"
echo "2. In your browser the address in $card on $SLURM_SUBMIT_HOST"
echo "It ends at $(date -d "@$SLURM_JOB_END_TIME" '+%F %T'), or earlier with: scancel $SLURM_JOB_ID"

# Two minutes before the time limit JupyterLab is asked to end, and saves what it has.
exec jupyter lab --no-browser --ip=127.0.0.1 --port="$port" --ServerApp.port_retries=0
