"""What schemathesis adds to each request for scripts/api-check: who asks, and from which address.

An operation that can end its own identity gets one that is used for nothing else.
"""

import itertools
import json
import os
import urllib.request

import schemathesis

ROLE = os.environ["API_CHECK_ROLE"]
ADDRESS = os.environ["API_CHECK_ADDRESS"]
PASSWORD = "a long enough password"
ENDS_IDENTITY = {
    "revoke_guest", "register", "sign_in", "recover", "sign_out", "sign_out_everywhere", "close", "change_password",
}
numbers = itertools.count(1)
kept = None


def from_somewhere():
    """An address that nothing came from before."""
    number = next(numbers)
    return {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}


def post(path, body=None, token=None):
    """The token of the cookie that the server answers with, if it does."""
    headers = from_somewhere()
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ADDRESS + path, data=data, headers=headers, method="POST")
    with urllib.request.urlopen(request, timeout=20) as answer:
        cookie = answer.headers["Set-Cookie"]
        return cookie.split(";")[0].split("=", 1)[1] if cookie else None


def new_identity():
    """The token of somebody who has just come."""
    if ROLE == "guest":
        return post("/api/guest")
    name = f"{ROLE}_{next(numbers)}"
    token = post("/api/account/register", {"name": name, "password": PASSWORD})
    if ROLE == "bot":
        post("/api/account/bot", token=token)
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
    case.headers["Authorization"] = f"Bearer {token}"
