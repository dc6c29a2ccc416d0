#!/bin/sh
# What `rf` costs per execution, compared with `trust`, on programs where both visit as many. Needs clang
# and valgrind (`make test-tools`).
set -eu
cd "$(dirname "$0")/.."
cargo build -q --release -p norn-bench
bench=${CARGO_TARGET_DIR:-target}/release/norn-bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for clang in "${NORN_CLANG:-clang}" clang-22 clang-19 clang-16 clang-14; do
    command -v "$clang" >/dev/null && break
done

measure() { # model algorithm: prints "instructions executions"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" count "$work/program.ll" \
        --model "$1" --algorithm "$2" >"$work/out" 2>"$work/err"
    instructions=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/err")
    echo "$instructions $(sed -n '1s/ executions.*//p' "$work/out")"
}

for row in 'fib_bench 4' 'lastzero 9' 'pthread_demo 6' 'stack_true 6' 'indexer 14' 'filesystem 19' \
    'cinc 3' 'ainc 6' 'lock 6' 'bound/dglm_queue 3' 'bound/ms_queue 6' 'bound/treiber_stack 4' \
    'bound/ttas_lock 3'; do
    program=${row% *}
    size=${row#* }
    "$clang" -g -O0 -Xclang -disable-O0-optnone -S -emit-llvm "-DN=$size" \
        -o "$work/program.ll" "bench/programs/$program.c"
    for model in sc tso pso ra rc11; do
        # shellcheck disable=SC2046
        set -- $(measure "$model" trust) $(measure "$model" rf)
        printf '%-19s N=%-3s %-5s %6s executions  trust %8s  rf %8s  %s %%\n' \
            "$program" "$size" "$model" "$4" $(($1 / $2)) $(($3 / $4)) \
            $((100 * $3 * $2 / $1 / $4))
    done
done
