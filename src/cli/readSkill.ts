import { createHash } from "node:crypto";
import { exitCodes } from "../core/findings/report";
import { type Result, registryFailureText } from "../core/registry/registryFailure";
import { readSkillAddress, type SkillAddress, type SkillDetail } from "../core/skill/skill";
import { english } from "../core/text/language";
import { oneLine } from "../core/text/plainText";
import { CliError, usageError } from "./command";
import { type OpenRegistry, requestTimeoutSeconds } from "./openRegistry";

/** Digests a text's UTF-8 bytes: SHA-256 in hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** Reads `slug` or `slug@version`. Throws a `CliError` for anything else. */
export function addressOf(text: string | undefined, command: string): SkillAddress {
  const address = readSkillAddress(text);
  if (address !== undefined) return address;
  throw usageError(command, "Name a skill: SLUG or SLUG@VERSION.");
}

/** Reads a skill from the registry. The version is the one that was asked for, or the result a failure. */
export async function readSkill(
  { client }: OpenRegistry,
  { slug, version }: SkillAddress,
  signal: AbortSignal,
): Promise<Result<SkillDetail>> {
  // A review without prices or publisher says nothing: what a busy registry answers late counts too.
  const reading = { withinSeconds: requestTimeoutSeconds };
  const read = await client.skill(slug, version || undefined, signal, reading);
  if (!read.ok || version === "" || read.value.summary.version === version) return read;
  const message = `The registry has no version ${version} of ${slug}; it returned ${oneLine(read.value.summary.version) || "none"}.`;
  return { ok: false, failure: { kind: "notFound", message } };
}

/** Reads a skill, or ends the command: with 4 where there is no such skill, else with 3. */
export async function requireSkill(
  registry: OpenRegistry,
  address: SkillAddress,
  signal: AbortSignal,
): Promise<SkillDetail> {
  const read = await readSkill(registry, address, signal);
  if (read.ok) return read.value;
  const { failure } = read;
  const code = failure.kind === "notFound" ? exitCodes.nothing : exitCodes.unknown;
  throw new CliError(oneLine(registryFailureText(failure, english), 500), code);
}
