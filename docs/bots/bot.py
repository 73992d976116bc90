"""Plays one game of random legal moves: python bot.py URL [--accept CHALLENGE]"""
import asyncio, json, random, sys

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

url, accept = sys.argv[1], sys.argv[3] if "--accept" in sys.argv else None
clock = {"kind": "clock", "periods": [{"base_ms": 180_000, "increment_ms": 2_000}]}
token = challenge = game = None

async def play(socket):
    """Answers what the server says, and gives the last word: how the game ended, or why not."""
    global token, challenge, game
    say = lambda t, **d: socket.send(json.dumps({"t": t, "d": d}))
    await (say("hello", token=token) if token else say("hello", guest=True))
    async for text in socket:
        message = json.loads(text)
        t, d = message["t"], message["d"]
        game = d.get("game", game)
        end = d if t == "ended" else d.get("state", {}).get("outcome")
        if t == "welcome":
            token = d.get("token", token)
            if game:  # we were away, and it may have ended meanwhile
                await say("watch", game=game)
            elif accept:
                await say("accept_challenge", challenge=accept)
            elif not challenge:
                await say("create_challenge", time_control=clock)
        elif t == "challenge" and not accept and not challenge:
            challenge = d["challenge"]
            print("challenge", challenge, flush=True)
        elif t == "turn":
            await say("move", game=game, on=d["on"], uci=random.choice(d["legal"]))
        elif t == "rejected" and (not game or d["code"] == "bad_token"):
            return d["message"]
        elif end:
            return f"ended {game} {end['score']} {end['reason']}"

async def main():
    async for socket in connect(url, subprotocols=["zeitnot.v1.json"]):  # again when it closes
        try:
            if end := await play(socket):
                return end
        except ConnectionClosed:
            if 4500 <= (socket.close_code or 0) <= 4999:
                return socket.close_reason
        await asyncio.sleep(json.loads(socket.close_reason or "{}").get("retry_ms", 1000) / 1000)

print(end := asyncio.run(main()))
sys.exit(not end.startswith("ended"))
