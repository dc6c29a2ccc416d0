#!/bin/sh
# What the bound costs where it leaves nothing out: instructions of the whole search without a bound, with
# the least bound that discards nothing, with the least that every execution is within, and with a loose
# one. Needs clang and valgrind (`make test-tools`).
set -eu
cd "$(dirname "$0")/.."
cargo build -q --release -p norn -p norn-bench
norn=${CARGO_TARGET_DIR:-target}/release/norn
bench=${CARGO_TARGET_DIR:-target}/release/norn-bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for clang in "${NORN_CLANG:-clang}" clang-22 clang-19 clang-16 clang-14; do
    command -v "$clang" >/dev/null && break
done

check() { # options: checks the program
    "$norn" check --model sc --algorithm trust --jobs 1 --no-race-detection "$@" "$work/program.ll"
}

instructions() { # algorithm
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" count "$work/program.ll" \
        --model sc --algorithm "$1" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

for row in 'fib_bench 5' 'lastzero 13' 'ainc 8' 'cinc 4' 'indexer 15' 'lock 7' 'n_writers_a_reader 8' \
    'filesystem 20' 'bound/treiber_stack 4' 'bound/ttas_lock 3'; do
    program=${row% *}
    size=${row#* }
    "$clang" -g -O0 -Xclang -disable-O0-optnone -S -emit-llvm "-DN=$size" \
        -o "$work/program.ll" "bench/programs/$program.c"
    least=0
    until check --bound "$least" 2>&1 | grep -q '^verified'; do
        least=$((least + 1))
    done
    enough=$least
    until check --bound "$enough" --format json 2>/dev/null | grep -q '"beyond_bound": *0[,}]*$'; do
        enough=$((enough + 1))
    done
    without=$(instructions trust)
    printf '%-22s N=%-2s without %10s' "$program" "$size" "$without"
    for bound in "$least" "$enough" 40; do
        with=$(instructions "bound:$bound")
        printf '  K=%s %10s +%s %%' "$bound" "$with" $((100 * (with - without) / without))
    done
    echo
done
