"""What schemathesis adds to each request for scripts/api-check: who asks, and from which address.

An operation that can end its own identity gets one that is used for nothing else. An admin is made by `zeitnot admin`, sets
a second factor, and uses a token with the scope `admin` for what only admins do.
"""

import base64
import hashlib
import hmac
import itertools
import json
import os
import subprocess
import time
import urllib.request

import schemathesis

ROLE = os.environ["API_CHECK_ROLE"]
ADDRESS = os.environ["API_CHECK_ADDRESS"]
PASSWORD = "a long enough password"
ENDS_IDENTITY = {
    "revoke_guest", "register", "sign_in", "recover", "sign_out", "sign_out_everywhere", "close", "change_password",
}
OF_ADMINS = {"act_as_admin", "admin_log"}
numbers = itertools.count(1)
kept = None
kept_of_admin = None


def from_somewhere():
    """An address that nothing came from before."""
    number = next(numbers)
    return {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}


def ask(method, path, body=None, token=None):
    """What the server answers: the token of its cookie, if it sets one, and the text."""
    headers = from_somewhere()
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ADDRESS + path, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=20) as answer:
        cookie = answer.headers["Set-Cookie"]
        return cookie.split(";")[0].split("=", 1)[1] if cookie else None, answer.read().decode()


def post(path, body=None, token=None):
    """The token of the cookie that the server answers with, if it does."""
    return ask("POST", path, body, token)[0]


def code(secret, steps_later):
    """The code of a second factor (RFC 6238), so many steps after the present one."""
    step = int(time.time()) // 30 + steps_later
    digest = hmac.new(base64.b32decode(secret), step.to_bytes(8, "big"), hashlib.sha1).digest()
    at = digest[19] & 15
    return f"{(int.from_bytes(digest[at:at + 4], 'big') & 0x7fffffff) % 1_000_000:06}"


def new_admin_token(name, session):
    """A token with the scope `admin`, of the account of a session, which becomes an admin's."""
    server, data = os.environ["API_CHECK_SERVER"], os.environ["API_CHECK_DATA"]
    subprocess.run([server, "--data", data, "admin", "grant", name], check=True, stdout=subprocess.DEVNULL)
    secret = json.loads(ask("POST", "/api/account/second-factor", {"password": PASSWORD}, session)[1])["secret"]
    ask("PUT", "/api/account/second-factor", {"second_factor": code(secret, 0)}, session)
    wanted = {"name": "acts", "scopes": ["admin"], "second_factor": code(secret, 1)}
    return json.loads(ask("POST", "/api/account/tokens", wanted, session)[1])["token"]


def new_identity():
    """The token of somebody who has just come."""
    if ROLE == "guest":
        return post("/api/guest")
    name = f"{ROLE}_{next(numbers)}"
    token = post("/api/account/register", {"name": name, "password": PASSWORD})
    if ROLE == "bot":
        post("/api/account/bot", token=token)
    if ROLE == "admin":
        global kept_of_admin
        kept_of_admin = kept_of_admin or new_admin_token(name, token)
    return token


@schemathesis.hook
def before_call(context, case, kwargs):
    global kept
    case.headers.update(from_somewhere())
    if ROLE == "nobody":
        return
    operation = case.operation.definition.raw["operationId"]
    if operation in ENDS_IDENTITY:
        token = new_identity()
    else:
        kept = token = kept or new_identity()
    if operation in OF_ADMINS and ROLE == "admin":
        token = kept_of_admin
    case.headers["Authorization"] = f"Bearer {token}"
