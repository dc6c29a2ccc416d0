#!/bin/sh
# Machine instructions per execution, one worker, release build, by the difference of two sizes so
# that start-up does not count. Needs clang and valgrind (`make test-tools`).
set -eu
cd "$(dirname "$0")/.."
cargo build -q --release -p norn-bench
bench=${CARGO_TARGET_DIR:-target}/release/norn-bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Compiled beforehand: a program under valgrind cannot start a compiler.
for clang in "${NORN_CLANG:-clang}" clang-22 clang-19 clang-16 clang-14; do
    command -v "$clang" >/dev/null && break
done

measure() { # program model size: prints "instructions executions"
    "$clang" -g -O0 -Xclang -disable-O0-optnone -S -emit-llvm "-DN=$3" \
        -o "$work/program.ll" "bench/programs/$1.c"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$bench" "$work/program.ll" "$2" 1 >"$work/out" 2>"$work/err"
    instructions=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/err")
    executions=$(sed -n '1s/ executions.*//p' "$work/out")
    echo "$instructions $executions"
}

row() { # program model smaller larger bar
    # shellcheck disable=SC2046
    set -- "$1" "$2" "$4" "$5" $(measure "$1" "$2" "$3") $(measure "$1" "$2" "$4")
    printf '%-20s %-5s N=%-3s %8s executions %8s instructions each, bar %s\n' \
        "$1" "$2" "$3" "$8" $((($7 - $5) / ($8 - $6))) "$4"
}

row fib_bench rc11 3 4 5200
row n_writers_a_reader rc11 5 6 5400
row ainc rc11 6 7 28000
row cinc rc11 3 4 28000
row lastzero sc 9 10 36000
row indexer sc 13 14 330000
