#!/bin/sh
# A UCI engine for tests: plays the moves that it is told to, and behaves badly on demand.
#
# fake.sh MODE LOG [FILE]
#   good          answers e2e4, whatever the position
#   mute          never answers anything
#   dies          ends when it is to think
#   dies-once     ends when it is to think, unless FILE exists, which it makes
#   hangs         never answers `go`, nor `stop`
#   until-stop    answers `go` only when it is told to stop
#   illegal       answers a move that is not legal
#   garbage       answers something that is no move at all
#   long          writes a line without an end when it is to think
# What it reads is written to LOG.

mode=$1
log=$2
file=$3

[ "$mode" = mute ] && exec sleep 600

while read -r line; do
  echo "$line" >>"$log"
  case $line in
    uci)
      echo "id name fake"
      echo "option name Move Overhead type spin default 10 min 0 max 5000"
      echo "option name Ponder type check default false"
      echo "option name UCI_Chess960 type check default false"
      echo "option name Skill Level type spin default 20 min 0 max 20"
      echo uciok
      ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
    stop) [ "$mode" = hangs ] || echo "bestmove e2e4" ;;
    go*)
      case $mode in
        good) echo "info depth 1"; echo "bestmove e2e4 ponder e7e5" ;;
        dies) exit 1 ;;
        dies-once) if [ -e "$file" ]; then echo "bestmove e2e4"; else : >"$file"; exit 1; fi ;;
        illegal) echo "bestmove e2e5" ;;
        garbage) echo "bestmove (none)" ;;
        long) head -c 200000 /dev/zero | tr '\0' x; sleep 600 ;;
      esac
      ;;
  esac
done
