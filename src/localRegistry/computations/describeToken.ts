import { decodeJwt, decodeProtectedHeader } from "jose";
import type { JsonObject } from "../../core/text/json";

/** A decoded token, or why it cannot be read. Nothing in it was verified. */
export type DescribedToken =
  | { readonly ok: true; readonly output: JsonObject }
  | { readonly ok: false; readonly error: string };

/** Decodes a JSON Web Token and judges its times at `at` (seconds since 1970). */
export function describeToken(token: string, at: number, toleranceSeconds: number): DescribedToken {
  const parts = token.split(".");
  if (parts.length !== 3 && parts.length !== 5) {
    return { ok: false, error: "A token has three parts, or five if encrypted, between dots." };
  }
  const encrypted = parts.length === 5;
  try {
    const header = decodeProtectedHeader(token) as JsonObject;
    const claims = encrypted ? null : (decodeJwt(token) as JsonObject);
    const signed = !encrypted && parts[2] !== "";
    const times = readTimes(claims ?? {});
    return {
      ok: true,
      output: {
        verified: false,
        note: "Decoded only: the signature was not checked, so nothing in the token is proven.",
        header,
        claims,
        encrypted,
        signed,
        state: encrypted ? "unknown" : stateOf(times, at, toleranceSeconds),
        ...describeTimes(times),
        problems: findProblems(header, claims, signed),
      },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, error: `The token cannot be decoded: ${reason}.` };
  }
}

interface TokenTimes {
  readonly issued: number | null;
  readonly starts: number | null;
  readonly ends: number | null;
}

function readTimes({ iat, nbf, exp }: JsonObject): TokenTimes {
  const time = (value: unknown) => (typeof value === "number" ? value : null);
  return { issued: time(iat), starts: time(nbf), ends: time(exp) };
}

function stateOf({ starts, ends }: TokenTimes, at: number, tolerance: number): string {
  if (starts !== null && at < starts - tolerance) return "not yet valid";
  if (ends !== null && at >= ends + tolerance) return "expired";
  return ends === null ? "never expires" : "active";
}

function describeTimes({ issued, starts, ends }: TokenTimes) {
  return { issuedAt: iso(issued), notBefore: iso(starts), expiresAt: iso(ends) };
}

function iso(seconds: number | null): string | null {
  const date = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

const day = 86_400;

function findProblems(header: JsonObject, claims: JsonObject | null, signed: boolean): string[] {
  const algorithm = header["alg"];
  const problems: string[] = [];
  if (typeof algorithm !== "string") problems.push("The header names no algorithm.");
  if (String(algorithm).toLowerCase() === "none")
    problems.push("The algorithm is none: anyone could have written this token.");
  if (claims === null) return problems;
  if (!signed) problems.push("There is no signature.");
  const { issued, ends } = readTimes(claims);
  if (ends === null) problems.push("There is no expiry (exp).");
  if (issued !== null && ends !== null && ends - issued > 30 * day) {
    problems.push("The token lives longer than 30 days.");
  }
  for (const name of ["iss", "aud"]) {
    if (!Object.hasOwn(claims, name)) problems.push(`The claim ${name} is missing.`);
  }
  return problems;
}
