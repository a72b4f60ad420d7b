import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import { missingSkill } from "../../core/payload/payloadBinding";
import {
  type RegistryFailure,
  type Result,
  registryFailureText,
} from "../../core/registry/registryFailure";
import { readVersion } from "../../core/review/checkTeam";
import { similarName } from "../../core/schema/explain/similarName";
import type { SkillDetail, SkillPart } from "../../core/skill/skill";
import { addressText, readSkillAddress, type SkillAddress } from "../../core/skill/skillAddress";
import { english } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { UsageError } from "../terminal";
import { type OpenRegistry, whereText } from "./openRegistry";

/** Parses `slug` or `slug@version`. Throws a `CommandError` for anything else. */
export function addressOf(text: string | undefined): SkillAddress {
  const address = readSkillAddress(text);
  if (address !== undefined) return address;
  throw new UsageError("Specify a skill: SLUG or SLUG@VERSION.");
}

/**
 * Reads a skill from the registry: from its own route and the sources of the parts in `needs`, by default all. Reads
 * the requested version, or fails. Without a requested version, reads the one that the project runs, else the
 * registry's newest.
 */
export async function readSkill(
  { client, pinOf, isUnlisted, timeouts, window }: OpenRegistry,
  address: SkillAddress,
  signal: AbortSignal,
  needs?: readonly SkillPart[],
): Promise<Result<SkillDetail>> {
  // About a missing version, a registry's own words may list the versions that it has.
  const named = (read: Result<SkillDetail>): Result<SkillDetail> =>
    read.ok || address.version !== ""
      ? read
      : { ok: false, failure: missingSkill(read.failure, address, false, english) };
  if (window !== undefined) return named(await window.readSkill(address));
  const pin = await pinOf(address.slug, signal);
  if (pin === undefined && (await isUnlisted(address.slug, signal))) {
    return named({ ok: false, failure: { kind: "notFound" } });
  }
  const skill: typeof client.skill = async (slug, version, stop, reading) =>
    named(await client.skill(slug, version, stop, { ...reading, pin }));
  const reading = { withinSeconds: timeouts.request, needs };
  return readVersion({ skill }, address, reading, signal, english);
}

/** Reads a skill, or ends the command: with exit code 4 if no such skill exists, else with 3. */
export async function requireSkill(
  registry: OpenRegistry,
  address: SkillAddress,
  signal: AbortSignal,
  describe: (
    registry: OpenRegistry,
    failure: RegistryFailure,
    address: SkillAddress,
  ) => string = failureText,
): Promise<SkillDetail> {
  const read = await readSkill(registry, address, signal);
  if (read.ok) return read.value;
  signal.throwIfAborted();
  const { failure } = read;
  if (failure.kind !== "notFound") {
    throw new CommandError(describe(registry, failure, address), exitCodes.unknown);
  }
  const near = await similarSlug(registry, address, signal);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  throw new CommandError(`${describe(registry, failure, address)}${hint}`, exitCodes.nothing);
}

/** Finds the most similar slug on the first page of the registry's list; undefined if none is similar. */
async function similarSlug(
  { client }: OpenRegistry,
  { slug }: SkillAddress,
  signal: AbortSignal,
): Promise<string | undefined> {
  const page = await client.search({ text: "", filters: {} }, undefined, signal);
  const slugs = page.ok ? page.value.skills.map((skill) => skill.slug) : [];
  // A missing version is reported only for an existing slug.
  return slugs.includes(slug) ? undefined : similarName(slug, slugs);
}

/**
 * Describes a failure with its registry: `text-stats at https://registry.example: …`. A missing skill is named by the
 * failure itself.
 */
export function failureText(
  registry: Pick<OpenRegistry, "name" | "isBuiltIn">,
  failure: RegistryFailure,
  address?: SkillAddress,
): string {
  const where = whereText(registry);
  const what =
    address === undefined || failure.kind === "notFound"
      ? where
      : `${addressText(address.slug, address.version)} at ${where}`;
  return oneLine(`${what}: ${registryFailureText(failure, english)}`, 500);
}
