import { isJsonObject, type JsonValue, parsedJson } from "../json/jsonValue";
import type { TextRange } from "../json/token";
import { putJson } from "../payload/fixes/editJson";
import { stringAround } from "../payload/fixes/textEdit";
import { shortestSecret } from "./payloadEnvironment";
import { valueName } from "./placeholders";

/** A credential in a payload that can become a secret. */
export interface MovableSecret {
  readonly value: string;
  readonly range: TextRange;
  /** A name for the secret: that of the property with the credential, if it is allowed; else `token`. */
  readonly proposedName: string;
  /** Returns the replacement for the credential once the secret has a name. */
  readonly placeholder: (name: string) => string;
}

const namePattern = new RegExp(`^${valueName}$`);

/** Returns whether a value or a secret may have this name. */
export function isValueName(name: string): boolean {
  return namePattern.test(name);
}

/** Converts typed text to JSON text. Valid JSON stays unchanged; anything else becomes a string. */
export function typedValue(typed: string): string {
  return parsedJson(typed) === undefined ? JSON.stringify(typed) : typed;
}

/** Returns the text to edit for a value. A string loses its quotes if `typedValue` would restore them. */
export function valueToType(json: string): string {
  const value = parsedJson(json);
  return typeof value === "string" && typedValue(value) === json ? value : json;
}

/** Sets a value (JSON text) in the text of an environments file. */
export function withValue(text: string, environment: string, name: string, json: string): string {
  return putJson(text, ["environments", environment, "values", name], json);
}

/** Declares a secret in the text of an environments file. */
export function withSecret(text: string, environment: string, name: string): string {
  const secrets = secretsIn(parsedJson(text), environment);
  if (secrets.includes(name)) return text;
  const steps = ["environments", environment, "secrets", secrets.length];
  return putJson(text, steps, JSON.stringify(name));
}

/** Writes a new environments file with one environment, which has one secret. */
export function newEnvironmentsText(environment: string, registry: string, secret: string): string {
  const environments = { [environment]: { registry, secrets: [secret] } };
  return `${JSON.stringify({ format: 1, environments }, undefined, 2)}\n`;
}

/**
 * Finds the string that contains a credential of a payload, or the part that is the credential. Undefined if it is a
 * property name, is too short for a secret, or contains a placeholder, which would no longer be replaced.
 */
export function movableSecret(text: string, { start, end }: TextRange): MovableSecret | undefined {
  const string = stringAround(text, start);
  if (string === undefined || /^\s*:/.test(text.slice(string.end, string.end + 1000)))
    return undefined;
  const found = text.slice(start, end);
  const proposedName = nameBefore(text, string.start);
  // Only the start of a key with several lines was recognized, so the whole string moves.
  const isWhole =
    end >= string.end || /["\\]|-----BEGIN/.test(found) || found.length < shortestSecret;
  const whole = parsedJson(text.slice(string.start, string.end));
  const value = isWhole ? whole : found;
  if (typeof value !== "string" || value.length < shortestSecret || value.includes("{{")) {
    return undefined;
  }
  return {
    value,
    range: isWhole ? string : { start, end },
    proposedName,
    placeholder: (name) => (isWhole ? `"{{${name}}}"` : `{{${name}}}`),
  };
}

function nameBefore(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - 200), start);
  const name = /"([^"\\]{1,64})"\s*:\s*$/.exec(before)?.[1] ?? "";
  return isValueName(name) ? name : "token";
}

function secretsIn(file: JsonValue | undefined, environment: string): readonly JsonValue[] {
  const all = isJsonObject(file) ? file["environments"] : undefined;
  const declared =
    isJsonObject(all) && Object.hasOwn(all, environment) ? all[environment] : undefined;
  const secrets = isJsonObject(declared) ? declared["secrets"] : undefined;
  return Array.isArray(secrets) ? secrets : [];
}
