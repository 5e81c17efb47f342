#!/usr/bin/env bash
# Converts a directory by a Slurm array of four parts, with a controller and a node of this machine, and compares the
# result with that of one run.
# Usage: tests/scale/slurm_array.sh BUILD
# Exit status 77: this machine lacks Slurm, or does not let the user start it.
set -euo pipefail
build=$(realpath "$1")
command=$build/bin/polycodec

skip() { echo "slurm: $1" >&2; exit 77; }
for program in slurmctld slurmd sbatch squeue munged; do
  PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || skip "$program is missing; install slurm-wlm and munge"
done
[ "$(id -u)" -eq 0 ] || skip "slurmd needs root"
export PATH=$PATH:/usr/sbin

work=$(mktemp -d /tmp/slurm-array.XXXXXX)
chmod 755 "$work"
pids=()
stop() {
  kill "${pids[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT

# Ports that nothing uses at the moment.
read -r controller_port node_port < <(python3 -c '
import socket
free = [socket.socket() for _ in range(2)]
for each in free: each.bind(("127.0.0.1", 0))
print(*[each.getsockname()[1] for each in free])')

host=$(hostname -s)
mkdir -p "$work"/{state,spool,munge,in/deep}
chmod 700 "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=128 count=1 status=none
chmod 400 "$work/munge/key"
cat >"$work/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$controller_port
SlurmdPort=$node_port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf

munged -F --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
  --log-file="$work/munge/log" --seed-file="$work/munge/seed" --force >/dev/null 2>&1 &
pids+=($!)
SECONDS=0
until [ -S "$work/munge/socket" ]; do kill -0 "${pids[0]}" 2>/dev/null || skip "munged does not start here"; sleep 0.1; done
slurmctld -D >/dev/null 2>&1 &
pids+=($!)
slurmd -D >/dev/null 2>&1 &
pids+=($!)
until sinfo -h -o %T 2>/dev/null | grep -q idle; do
  for pid in "${pids[@]}"; do
    [ $SECONDS -lt 60 ] && kill -0 "$pid" 2>/dev/null || { tail -3 "$work"/slurm*.log >&2; skip "Slurm does not start here"; }
  done
  sleep 0.2
done

for i in $(seq 200); do echo "{\"number\": $i, \"list\": [$i, 2, 3]}" >"$work/in/deep/$i.json"; done
cat >"$work/job.sh" <<JOB
#!/bin/sh
exec $command convert $work/in --recursive --to msgpack-ndarray --out-dir $work/parts --sync none --jobs 1 \\
  --shard \$SLURM_ARRAY_TASK_ID/\$SLURM_ARRAY_TASK_COUNT --report $work/part\$SLURM_ARRAY_TASK_ID.jsonl --resume
JOB
sbatch --wait --array=1-4 --chdir="$work" --output="$work/job%a.out" "$work/job.sh"

"$command" report merge "$work/all.jsonl" "$work"/part?.jsonl
"$command" convert "$work/in" --recursive --to msgpack-ndarray --out-dir "$work/whole" --sync none --quiet
diff -r "$work/parts" "$work/whole"
[ "$(find "$work/parts" -type f | wc -l)" -eq 200 ]
echo "slurm: four parts of an array made the 200 files of one run"
