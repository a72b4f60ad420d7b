import type { RegistryFailure } from "./registryFailure";

/** Says in one sentence what went wrong between here and the registry. Contains no markup of ours. */
export function failureWords(failure: RegistryFailure): string {
  switch (failure.kind) {
    case "cancelled":
      return "You cancelled the request.";
    case "unreachable":
      return unreachableWords(failure.cause, failure.detail);
    case "timeout":
      return `The registry did not answer within ${seconds(failure.seconds)}.`;
    case "connectionLost":
      return `The connection to the registry broke (${failure.detail}).`;
    case "tooLarge":
      return `The registry's answer, or its headers, are larger than ${size(failure.limitBytes)}. The limit for answers is in your settings.`;
    case "redirected":
      return `The registry sent the request on to ${failure.target}. It was not followed.`;
    case "notFound":
      return failure.message ?? "The registry has no such skill.";
    case "errorAnswer":
      return errorAnswerWords(failure.status, failure.message);
    case "unreadable":
      return failure.field === ""
        ? `The registry's answer to ${failure.route} could not be read.`
        : `The registry's answer to ${failure.route} could not be read: “${failure.field}” is missing or of another type than expected.`;
  }
}

function unreachableWords(
  cause: Extract<RegistryFailure, { kind: "unreachable" }>["cause"],
  detail: string,
): string {
  switch (cause) {
    case "name":
      return `The registry's name could not be found (${detail}). Check the address and your connection.`;
    case "refused":
      return `Nothing answers at the registry's address (${detail}).`;
    case "certificate":
      return `The registry's certificate is not trusted (${detail}). Nothing was sent.`;
    case "proxy":
      return `The proxy did not let the request through (${detail}). Check the http.proxy setting.`;
    case "network":
      return `The registry could not be reached (${detail}).`;
  }
}

function errorAnswerWords(status: number, message: string | undefined): string {
  const said = message === undefined ? "" : `: ${message}`;
  return `The registry answered with an error (HTTP ${status})${said}`;
}

function seconds(count: number): string {
  return count === 1 ? "1 second" : `${count} seconds`;
}

function size(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.round(bytes / 1024)} KB`
    : `${Math.round(bytes / 1_000_000)} MB`;
}
