# SPDX-License-Identifier: Apache-2.0
# ./souk bench engine. Sourced by ./souk (POSIX sh).

engine_usage() {
  cat <<END
usage: ./souk bench engine [--docs N] [--peers LIST] [--seed N] [--evaluator NAME] [--json] [--save]
  Builds the same product-like documents into our engine and others, asks each the same queries (AND, OR, phrase,
  filters, facets, grouping, sorting), checks that all find as many documents, and prints queries a second, latencies,
  RAM, index bytes, build time, and ratios. One thread, warm, each query's fastest pass.
  --docs N          documents, default 1000000
  --peers LIST      lucene,xapian (the default), one of them, or none
  --seed N          of the documents and queries, default 1
  --evaluator NAME  of ours: scalar, v3, v4 or exhaustive; default: the best that this CPU has
  --json            the last line is everything that was measured, for programs
  --save            writes bench/results/engine-DATE.md
END
}

build_lucene_driver() { # FOLDER
  jars=
  for jar in lucene-core lucene-analyzers-common; do
    found=$(ls /usr/share/java/$jar-8.*.jar 2>/dev/null | head -n 1)
    [ -n "$found" ] ||
      die "Lucene 8 is not installed (Debian package liblucene8-java); leave it out with --peers xapian or --peers none"
    jars=$jars:$found
  done
  command -v javac >/dev/null && command -v java >/dev/null ||
    die "javac is not installed (Debian package openjdk-17-jdk-headless); leave Lucene out with --peers xapian or --peers none"
  mkdir -p "$1" && javac -d "$1" -cp "${jars#:}" "$ROOT"/bench/peers/lucene/*.java ||
    die "bench/peers/lucene cannot be compiled"
}

bench_engine() {
  peers=lucene,xapian json='' save='' docs='' seed='' evaluator=''
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h)
        engine_usage
        return 0
        ;;
      --json) json=--json ;;
      --save) save=1 ;;
      --docs | --peers | --seed | --evaluator)
        [ $# -ge 2 ] && [ -n "$2" ] || bad_usage "$1 needs a value"
        case $1 in
          --docs) docs=$2 ;;
          --peers) peers=$2 ;;
          --seed) seed=$2 ;;
          --evaluator) evaluator=$2 ;;
        esac
        shift
        ;;
      *) bad_usage "bench engine: unknown argument '$1'" ;;
    esac
    shift
  done
  case $docs in
    *[!0-9]* | ?????????*) bad_usage "--docs must be a number from 1000 to 20000000" ;;
    ?*) [ "$docs" -ge 1000 ] && [ "$docs" -le 20000000 ] || bad_usage "--docs must be a number from 1000 to 20000000" ;;
  esac
  case $seed in *[!0-9]* | ????????????????????*) bad_usage "--seed must be a number" ;; esac
  case $evaluator in '' | scalar | v3 | v4 | exhaustive) ;; *) bad_usage "--evaluator must be scalar, v3, v4 or exhaustive" ;; esac
  case $peers in
    none | lucene | xapian | lucene,xapian | xapian,lucene) ;;
    *) bad_usage "--peers must be lucene, xapian, both with a comma between them, or none" ;;
  esac
  engines=souk
  [ "$peers" = none ] || engines=souk,$peers
  build_bench souk-bench-titles souk-bench-engine >&2
  case ,$engines, in *,xapian,*) build_preset release souk-bench-xapian >&2 ;; esac
  case ,$engines, in *,lucene,*) build_lucene_driver "$BIN/bench-lucene" ;; esac
  trap stop_measuring EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  set -- --engines "$engines" --bin "$BIN" --classes "$BIN/bench-lucene" $json
  [ -z "$docs" ] || set -- "$@" --docs "$docs"
  [ -z "$seed" ] || set -- "$@" --seed "$seed"
  [ -z "$evaluator" ] || set -- "$@" --evaluator "$evaluator"
  [ -z "$save" ] || set -- "$@" --save "$ROOT/bench/results"
  measure python3 "$ROOT/bench/engine.py" "$@"
}
