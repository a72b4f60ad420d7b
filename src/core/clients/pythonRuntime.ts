import { codesByStatus } from "./client";
import { pythonText } from "./pythonTypes";

/** The module that the clients of a folder share. */
export const runtimeModule = "skill_registry_runtime";

/** The first line of that module. It marks a file that may be overwritten. */
export const runtimeHeader = "# skill-registry: what all clients in this folder share";

/** The imports of a module that contains `runtimeBody`. */
export const runtimeImports = `import json
import re
import socket
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from email.message import Message
from http.client import HTTPException
from typing import IO, Generic, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, cast`;

/** Writes the module that the clients of a folder share. It needs only Python 3.11 and its standard library. */
export function pythonRuntime(): string {
  return `${runtimeHeader}
# Generated: do not edit.

${runtimeImports}

__all__ = ["Failure", "Success", "invoke_skill"]


${runtimeBody()}`;
}

/**
 * Writes the code that sends an invocation once, without following a redirect, and reads the response in the terms of
 * every client: the types of outcomes, and `invoke_skill`.
 */
export function runtimeBody(): string {
  const { blocked, rateLimited, refused } = codesByStatus();
  return `OutputT = TypeVar("OutputT")


class Answered(TypedDict):
    # The facts that a response may contain, whatever its status.
    invocation_id: NotRequired[str]
    amount_cents: NotRequired[float]
    currency: NotRequired[str]
    code: NotRequired[str]
    message: NotRequired[str]


class Success(Answered, Generic[OutputT]):
    # The output as the registry returned it, not checked against the schema.
    status: Literal["success"]
    output: OutputT


class Failure(Answered):
    # error: the skill failed, or the registry accepted the invocation and did not run the skill (metered_contract).
    # blocked: a policy, a budget or a subscription does not allow the invocation.
    # refused: the registry did not accept the key, the payload or the skill.
    # rateLimited: too many invocations. One that is sent before retry_after_seconds have passed counts too.
    # outcomeUnknown: the payload was sent, and no response says whether the skill ran.
    # notSent: the payload was not sent. Only this is safe to send again: after any other status, the registry may have
    # received the payload, run the skill and billed it.
    status: "Status"
    output: NotRequired[object]
    retry_after_seconds: NotRequired[float]


Status: TypeAlias = Literal[
    "error", "blocked", "refused", "rateLimited", "outcomeUnknown", "notSent"
]

_BLOCKED = frozenset(${set(blocked)})
_RATE_LIMITED = frozenset(${set(rateLimited)})
_REFUSED = frozenset(${set(refused)})


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> None:
        return None


def invoke_skill(
    skill: Mapping[str, str], payload: object, base_url: str, project_key: str, timeout: float
) -> Success[object] | Failure:
    """Invokes a skill once. Never raises for a response or a network error, and never sends twice."""
    if not re.fullmatch(r"[\\x21-\\x7e]+", project_key):
        return {"status": "notSent", "message": "The Project Key is missing or not valid."}
    url = urllib.parse.urlsplit(base_url.rstrip("/") + "/v1/runtime/invoke")
    is_loopback = url.hostname in ("localhost", "127.0.0.1", "::1")
    if url.scheme != "https" and not (url.scheme == "http" and is_loopback):
        return {"status": "notSent", "message": "A Project Key is sent over https only."}
    body = {**skill, "input": payload}
    try:
        data = json.dumps(body, allow_nan=False).encode()
    except (RecursionError, TypeError, ValueError):
        return {"status": "notSent", "message": "The payload is not valid JSON."}
    request = urllib.request.Request(
        url.geturl(),
        method="POST",
        headers={"Authorization": "Bearer " + project_key, "Content-Type": "application/json"},
        data=data,
    )
    try:
        with urllib.request.build_opener(_NoRedirects).open(request, timeout=timeout) as response:
            return _read(response.status, response.headers, response.read(), project_key)
    except urllib.error.HTTPError as error:
        try:
            return _read(error.code, error.headers, error.read(), project_key)
        except (HTTPException, OSError):
            return {"status": "outcomeUnknown", "message": "The connection broke after sending."}
    except urllib.error.URLError as error:
        if isinstance(error.reason, (socket.gaierror, ConnectionRefusedError)):
            return {"status": "notSent", "message": "The registry could not be reached."}
        return {"status": "outcomeUnknown", "message": "The connection broke after sending."}
    except (HTTPException, OSError):
        return {"status": "outcomeUnknown", "message": "The connection broke after sending."}


def _read(http: int, headers: Message, body: bytes, project_key: str) -> Success[object] | Failure:
    try:
        # Serializing the JSON again removes escapes that could hide the key from the replacement.
        plain = json.dumps(json.loads(body.decode(errors="replace")))
        answer = json.loads(plain.replace(json.dumps(project_key)[1:-1], "[Project Key]"))
    except (RecursionError, ValueError):
        answer = None
    if not isinstance(answer, dict):
        answer = {}
    data = answer.get("data")
    if isinstance(data, dict) and not answer.keys() & {"invocationId", "output", "error", "code", "status"}:
        answer = data
    answered = _answered(answer)
    run_status = answer.get("status")
    has_run = run_status == "error" and "invocation_id" in answered
    code = re.sub(r"[^a-z0-9]+", "_", answered.get("code", "").lower())
    output = answer.get("output")
    if http < 300:
        if run_status == "error":
            return _failure("error", answered, output)
        if "output" in answer or run_status == "success":
            mode = output.get("mode") if isinstance(output, dict) else None
            if "metered_contract" in (answer.get("mode"), mode):
                answered["code"] = "metered_contract"
                return _failure("error", answered, output)
            return cast(Success[object], {**dict(answered), "status": "success", "output": output})
    # The skill itself sets the code of a failed run, and may use one of the registry's codes.
    if has_run and http >= 500:
        return _failure("error", answered, output)
    if http < 400 and (http >= 300 or code == ""):
        return _failure("refused" if http >= 300 else "outcomeUnknown", answered)
    if code in _BLOCKED:
        return _failure("blocked", answered)
    if code in _REFUSED:
        return _failure("refused", answered)
    if code in _RATE_LIMITED or http == 429:
        limited = _failure("rateLimited", answered)
        seconds = headers.get("Retry-After", "")
        if seconds.isdecimal():
            limited["retry_after_seconds"] = float(seconds)
        return limited
    if has_run:
        return _failure("error", answered, output)
    if http in (402, 403):
        return _failure("blocked", answered)
    return _failure("refused" if http < 500 else "outcomeUnknown", answered)


def _failure(status: Status, answered: Answered, output: object = None) -> Failure:
    failure = cast(Failure, {**dict(answered), "status": status})
    if output is not None:
        failure["output"] = output
    return failure


def _answered(answer: Mapping[str, object]) -> Answered:
    error = answer.get("error")
    source = {**answer, **error} if isinstance(error, dict) else answer
    answered: Answered = {}
    invocation_id = source.get("invocationId", source.get("invocation_id"))
    if isinstance(invocation_id, str):
        answered["invocation_id"] = invocation_id
    amount_cents = source.get("amountCents", source.get("amount_cents"))
    if isinstance(amount_cents, (int, float)):
        answered["amount_cents"] = amount_cents
    currency = source.get("currency")
    if isinstance(currency, str):
        answered["currency"] = currency
    code = source.get("code")
    if isinstance(code, str):
        answered["code"] = code
    for name in ("message", "detail", "error"):
        message = source.get(name)
        if isinstance(message, str):
            answered["message"] = message
            break
    return answered
`;
}

function set(codes: readonly string[]): string {
  return `{\n${codes.map((code) => `    ${pythonText(code)},\n`).join("")}}`;
}
