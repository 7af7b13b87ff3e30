#!/bin/bash -eu
# Build the targets for OSS-Fuzz: one program and one zip of seeds for each.
pip3 install '.[corpus]' atheris
python3 fuzz/seeds.py "$WORK/seeds"
for path in fuzz/fuzz_*.py; do
  target=$(basename "$path" .py)
  compile_python_fuzzer "$path" --paths fuzz --collect-all dehusk
  zip -qj "$OUT/${target}_seed_corpus.zip" "$WORK/seeds/${target#fuzz_}"/*
done
