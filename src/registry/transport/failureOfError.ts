import type { RegistryFailure } from "../../core/registry/registryFailure";

/**
 * Converts an error of a running exchange to a failure. Uses only its code: system messages can contain addresses and
 * proxy passwords.
 */
export function failureOfError(
  error: unknown,
  route: string,
  headerLimitBytes: number,
): RegistryFailure {
  if (error instanceof NotConnected) return error.failure;
  const code = codeOf(error);
  if (code === "UND_ERR_DESTROYED" || code === "UND_ERR_CLOSED") return { kind: "cancelled" };
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return { kind: "tooLarge", limitBytes: headerLimitBytes };
  if (isOfParser(error) || error instanceof UnreadableResponse)
    return { kind: "unreadable", route, field: "" };
  return { kind: "connectionLost", detail: code === "UND_ERR_SOCKET" ? "closed" : code };
}

/** Returns whether an error is undici's HTTPParserError, which has no code. */
function isOfParser(error: unknown): boolean {
  return error instanceof Error && error.name === "HTTPParserError";
}

/** Converts an error while connecting to a failure. */
export function unreachableOfError(
  error: unknown,
): Extract<RegistryFailure, { kind: "unreachable" }> {
  const detail = codeOf(error);
  return { kind: "unreachable", cause: causeOf(detail), detail };
}

/** Returns the system's code of an error, such as ECONNREFUSED; "unknown" if it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Za-z0-9_]{1,60}$/.test(code) ? code : "unknown";
}

function causeOf(code: string): "name" | "refused" | "certificate" | "network" {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EAI_FAIL") return "name";
  if (code === "ECONNREFUSED") return "refused";
  return isCertificateCode(code) ? "certificate" : "network";
}

/** Matches the codes of OpenSSL's certificate check, listed by Node.js under "X509 certificate error codes". */
function isCertificateCode(code: string): boolean {
  return (
    /^(CERT|CRL|UNABLE_TO|ERROR_IN_CERT|ERROR_IN_CRL|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH)/.test(
      code,
    ) || code === "ERR_TLS_CERT_ALTNAME_INVALID"
  );
}

/** Thrown if no connection was established: no part of the request was sent. */
export class NotConnected extends Error {
  override readonly name = "NotConnected";

  constructor(readonly failure: Extract<RegistryFailure, { kind: "unreachable" }>) {
    super(failure.kind);
  }
}

/** Thrown if a response belongs to no request that was sent. */
export class UnreadableResponse extends Error {
  override readonly name = "UnreadableResponse";
}
