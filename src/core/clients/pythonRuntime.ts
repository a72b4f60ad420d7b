import { retryFields } from "../invocation/rateLimit";
import { runStatusWords } from "../invocation/response/runStatus";
import { codesByStatus, httpByStatus } from "./client";
import { pythonText } from "./pythonTypes";

/** The module that the clients of a folder share. */
export const runtimeModule = "skill_registry_runtime";

/** The first line of that module. It marks a file that may be overwritten. */
export const runtimeHeader = "# skill-registry: what all clients in this folder share";

/** The imports of a module that contains `runtimeBody`. */
export const runtimeImports = `import json
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from email.message import Message
from email.utils import parsedate_to_datetime
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
  const http = httpByStatus();
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
    # error: the skill failed, or its run ended without a result.
    # notExecuted: the registry accepted the invocation, and has no result yet (message has its status), or never runs
    # the skill (code is metered_contract).
    # blocked: a policy, a budget or a subscription does not allow the invocation.
    # refused: the registry did not accept the key, the payload or the skill.
    # rateLimited: too many invocations. One that is sent before retry_after_seconds have passed counts too.
    # outcomeUnknown: the payload was sent, and no response says in known words whether the skill ran.
    # notSent: the payload was not sent. Only this is safe to send again: after any other status, the registry may have
    # received the payload, run the skill and billed it.
    status: "Status"
    output: NotRequired[object]
    retry_after_seconds: NotRequired[float]


Status: TypeAlias = Literal[
    "error", "notExecuted", "blocked", "refused", "rateLimited", "outcomeUnknown", "notSent"
]

_BLOCKED = frozenset(${set(blocked)})
_RATE_LIMITED = frozenset(${set(rateLimited)})
_REFUSED = frozenset(${set(refused)})
_BLOCKED_HTTP = frozenset({${http.blocked.join(", ")}})
_REFUSED_HTTP = frozenset({${http.refused.join(", ")}})
_RETRY_FIELDS = {${retryFields.map(([name, unit]) => `${pythonText(name)}: ${unit}`).join(", ")}}
_SECONDS = {"d": 86_400, "h": 3600, "m": 60, "s": 1, "ms": 0.001}
_RUN_STATUSES = {
${Object.entries(runStatusWords)
  .map(([status, words]) => `    ${pythonText(status)}: frozenset(${set(words)}),`)
  .join("\n")}
}


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
    url = urllib.parse.urlsplit(re.sub(r"(/+v1)?/*\\Z", "", base_url) + "/v1/runtime/invoke")
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
    is_page = not isinstance(answer, dict)
    if not isinstance(answer, dict):
        answer = {}
    data = answer.get("data")
    if isinstance(data, dict) and not answer.keys() & {"invocationId", "output", "error", "code", "status", "state"}:
        answer = data
    answered = _answered(answer)
    word = _word(answer)
    run_status = _run_status(word)
    has_run = run_status == "failed" and "invocation_id" in answered
    refusal = _refusal(_spell(answered.get("code", "")), answered, headers)
    output = answer.get("output")
    if http < 300:
        return _read_success(http, answer, answered, word, refusal)
    if http < 400:
        return _failure("refused", answered)
    # The skill itself sets the code of a failed run, and may use one of the registry's codes.
    if has_run and http >= 500:
        return _failure("error", answered, output)
    if refusal is not None:
        return refusal
    if http == 429:
        return _rate_limit(answered, headers)
    if has_run:
        return _failure("error", answered, output)
    if is_page:
        # A page without JSON is the answer of a proxy or firewall, not a decision about the project.
        answered["message"] = f"A proxy or firewall answered (HTTP {http})."
    if http in _BLOCKED_HTTP:
        return _failure("refused" if is_page else "blocked", answered)
    return _failure("refused" if http in _REFUSED_HTTP else "outcomeUnknown", answered)


def _read_success(
    http: int, answer: Mapping[str, object], answered: Answered, word: str, refusal: Failure | None
) -> Success[object] | Failure:
    run_status = _run_status(word)
    output = answer.get("output")
    has_error = bool(answer.get("error") or answer.get("errors"))
    is_known = "output" in answer or "invocation_id" in answered
    if word and run_status != "success" and "message" not in answered:
        answered["message"] = "The registry's status is " + word + "."
    if run_status == "failed":
        return _failure("error", answered, output)
    if run_status == "waiting":
        return _failure("notExecuted", answered, output)
    if refusal is not None and run_status != "success" and (word or "output" not in answer):
        return refusal
    if run_status == "stopped":
        return _failure("error", answered, output)
    if run_status == "unknown":
        return _failure("outcomeUnknown", answered, output)
    if has_error:
        return _failure("error" if run_status or is_known else "outcomeUnknown", answered, output)
    if not run_status and http == 202:
        answered.setdefault("message", "HTTP 202")
        return _failure("notExecuted", answered, output)
    if not run_status and not is_known:
        return _failure("outcomeUnknown", answered)
    mode = output.get("mode") if isinstance(output, dict) else None
    if "metered_contract" in (answer.get("mode"), mode):
        answered["code"] = "metered_contract"
        return _failure("notExecuted", answered, output)
    return cast(Success[object], {**dict(answered), "status": "success", "output": output})


def _refusal(code: str, answered: Answered, headers: Message) -> Failure | None:
    if code in _BLOCKED:
        return _failure("blocked", answered)
    if code in _REFUSED:
        return _failure("refused", answered)
    return _rate_limit(answered, headers) if code in _RATE_LIMITED else None


def _rate_limit(answered: Answered, headers: Message) -> Failure:
    limited = _failure("rateLimited", answered)
    waits = [_wait(headers.get(name, ""), unit) for name, unit in _RETRY_FIELDS.items()]
    known = [wait for wait in waits if wait is not None]
    if known:
        limited["retry_after_seconds"] = max(0.0, *known)
    return limited


def _wait(text: str, unit: float) -> float | None:
    # A wait in seconds: a number, a date or a duration such as 6m0s.
    value = text.strip()
    if re.fullmatch(r"\\d{1,12}(?:\\.\\d{1,9})?", value):
        return float(value) * unit
    if re.fullmatch(r"(?:\\d{1,9}(?:\\.\\d{1,9})?(?:ms|[dhms]))+", value):
        parts = re.findall(r"([\\d.]+)(ms|[dhms])", value)
        return sum(float(number) * _SECONDS[name] for number, name in parts)
    try:
        return parsedate_to_datetime(value).timestamp() - time.time()
    except (TypeError, ValueError):
        return None


def _word(answer: Mapping[str, object]) -> str:
    # The registry's own word for the status; empty for none.
    words = [_word_in(answer.get(name)) for name in ("status", "state")]
    words += [_word_of_flag(answer.get(name), True) for name in ("success", "ok")]
    words += [_word_of_flag(answer.get(name), False) for name in ("isError", "is_error")]
    words = [word for word in words if word]
    return next((word for word in words if _run_status(word) != "success"), words[0] if words else "")


def _word_of_flag(value: object, good: bool) -> str:
    flag = True if value in (True, "true") else False if value in (False, "false") else value
    return "" if flag is good else "failed" if isinstance(flag, bool) else _word_in(value)


def _word_in(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "success" if value else "failed"
    if isinstance(value, (int, float)):
        return "" if 200 <= value < 300 else str(value)
    if isinstance(value, dict):
        words = [value[name] for name in ("status", "state", "phase", "code") if value.get(name) is not None]
        value = words[0] if words else value
    return (value if isinstance(value, str) and value else json.dumps(value))[:60]


def _run_status(word: str) -> str:
    if word == "":
        return ""
    spelled = _spell(word.strip())
    return next((name for name, words in _RUN_STATUSES.items() if spelled in words), "unknown")


def _spell(word: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", re.sub(r"([a-z])([A-Z])", r"\\1_\\2", word).lower())


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
    for name in ("error_description", "message", "detail", "error"):
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
