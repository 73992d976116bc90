#!/bin/sh
# A UCI engine for tests: it answers 1.f3 with 1...e5 and 2.g4 with mate, and everything else with a7a6.
while read -r line; do
  case $line in
    uci) echo "id name mates in two"; echo uciok ;;
    isready) echo readyok ;;
    position*"moves f2f3") move=e7e5 ;;
    position*"moves f2f3 e7e5 g2g4") move=d8h4 ;;
    position*) move=a7a6 ;;
    go*) echo "bestmove $move" ;;
    quit) exit 0 ;;
  esac
done
