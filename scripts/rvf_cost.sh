#!/bin/sh
# What `rvf` costs per execution, compared with `rf`, on programs where both visit as many, and what its aids are
# worth. Needs clang and valgrind (`make test-tools`). `PROFILE=quick` builds in a fraction of the time, `BENCH=FILE`
# measures a `norn-bench` that is there.
set -eu
cd "$(dirname "$0")/.."
profile=${PROFILE:-release}
bench=${BENCH:-${CARGO_TARGET_DIR:-target}/$profile/norn-bench}
[ -n "${BENCH:-}" ] || cargo build -q --profile "$profile" -p norn-bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for clang in "${NORN_CLANG:-clang}" clang-22 clang-19 clang-16 clang-14; do
    command -v "$clang" >/dev/null && break
done

compile() { # program size
    "$clang" -g -O0 -Xclang -disable-O0-optnone -S -emit-llvm "-DN=$2" \
        -o "$work/program.ll" "bench/programs/$1.c"
}

measure() { # algorithm: prints "instructions executions stale"
    timeout "${TIMEOUT:-600}" valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" count \
        "$work/program.ll" --model sc --algorithm "$1" >"$work/out" 2>"$work/err" || true
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/err" | tr '\n' ' '
    sed -n '1s/\([0-9]*\) executions, .* blocked, \([0-9]*\) stale.*/\1 \2/p' "$work/out"
}

echo '| program | executions | ends in vain | rf | rvf | ratio |'
echo '|---|---|---|---|---|---|'
for row in 'fib_bench 3' 'fib_bench 4' 'unverif 4' 'unverif 5' 'pgsql 3' 'lastzero 9' 'n_writers_a_reader 8' \
    'lock 5' 'ainc 5' 'bound/ms_queue 5'; do
    compile "${row% *}" "${row#* }"
    # shellcheck disable=SC2046
    set -- $(measure rf) $(measure rvf)
    echo "$row $*" | awk '{ printf "| %s(%s) | %d | %d | %d | %d | %.1f |\n", $1, $2, $7, $8, $3 / $4, $6 / $7, $6 / $7 / ($3 / $4) }'
done

echo
echo '| program | executions | rvf | without closure | without guidance | without signals |'
echo '|---|---|---|---|---|---|'
for row in 'fib_bench 3' 'pgsql 2' 'unverif 4' 'approxds_append 4' 'chase_lev 4' 'exponential_bug 5' \
    'control_flow 6' 'reorder 9' 'monabsex1 7' 'redundant_co_values 100'; do
    compile "${row% *}" "${row#* }"
    all=$(measure rvf)
    without=
    for aid in closure guidance signals; do
        without="$without $(measure "rvf:no-$aid" | awk '{ print $1 }')"
    done
    echo "$row $all $without" | awk '{
        printf "| %s(%s) | %d | %d |", $1, $2, $4, $3
        for (i = 6; i <= 8; i++) printf " %.2f |", $i / $3
        print "" }'
done
