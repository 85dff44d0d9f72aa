#!/bin/bash
# A Ray cluster in a Slurm job, and a campaign on it: sbatch slurm.sh campaign.toml
# Started again after its time is up, the campaign goes on where it was.
#SBATCH --job-name=hardbop
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=64G
#SBATCH --time=08:00:00
set -euo pipefail
description=${1:?which campaign?}

# The environment with 'pip install hardbop[ray]', on a disk that all nodes have.
source "${HARDBOP_VENV:-$HOME/hardbop}/bin/activate"

mapfile -t nodes < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
head=${nodes[0]}
port=6379
# What Slurm gives a node, less a tenth for Ray itself.
memory=$((${SLURM_MEM_PER_NODE:?} * 1024 * 1024 / 10 * 9))

srun --nodes=1 --ntasks=1 --nodelist="$head" \
    ray start --head --port="$port" --num-cpus="$SLURM_CPUS_PER_TASK" --memory="$memory" --block &
for ((i = 0; i < 60; i++)); do
    ray status --address "$head:$port" >/dev/null 2>&1 && break
    sleep 2
done
if ((${#nodes[@]} > 1)); then
    others=$(IFS=,; echo "${nodes[*]:1}")
    srun --nodes=$((${#nodes[@]} - 1)) --ntasks-per-node=1 --nodelist="$others" \
        ray start --address="$head:$port" --num-cpus="$SLURM_CPUS_PER_TASK" --memory="$memory" --block &
fi

# The exit code is that of the worst task.
RAY_ADDRESS="$head:$port" hardbop campaign "$description" --on ray://auto --html "${description%.toml}.html"
