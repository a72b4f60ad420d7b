import { canonicalText, isInterchangeable, type JsonValue } from "../../json/jsonValue";
import { bareAddress, parseUrl } from "../../text/parseUrl";
import {
  assumedLevel,
  type PermissionLevel,
  type Permissions,
  permissionLevelOf,
} from "../permissions";
import { isPriceUnanswered, pricesOf } from "../price";
import type { Price, SkillDetail, SkillRuntime, SkillSummary } from "../skill";

/**
 * Everything that one version of a skill declares: the subject of a review and of its hash. It pins the declaration,
 * not the code. A part that the registry does not provide is null.
 */
export interface Contract {
  readonly inputSchema: JsonValue;
  readonly outputSchema: JsonValue;
  readonly permissions: ContractPermissions | null;
  readonly runtime: ContractRuntime | null;
  /** The publisher's slug, else the name; null if the registry names none. The skill may still have one. */
  readonly publisher: string | null;
  /** The valid prices, sorted by their canonical JSON; empty if the registry names none. */
  readonly prices: readonly ContractPrice[];
}

/**
 * One reading of a skill: a contract, and facts that its hash does not cover. A null part is unknown; an empty list of
 * prices means unknown prices.
 */
export interface Declaration extends Omit<Contract, "permissions"> {
  readonly permissions: Permissions | null;
  /** The address without its query, or the command, with arguments; left out if only the contract is known. */
  readonly entry?: string;
}

/** What a skill may do. `secretNames` is sorted, and empty if the registry redacts the names. */
interface ContractPermissions {
  readonly browser: boolean;
  readonly filesystem: "none" | "read" | "write";
  readonly network: boolean;
  readonly secretCount: number;
  readonly secretNames: readonly string[];
}

/** Where a skill runs. `host` is null if it has no network address, such as a local program. */
interface ContractRuntime {
  readonly type: string;
  /**
   * In lower case and punycode, with the port if it is not the scheme's default. Includes the scheme if it is not
   * `https`, since anybody on the network path could change what an `http` skill is sent.
   */
  readonly host: string | null;
}

/** A price; `unitAmountCents` and `currency` are left out if the registry does not provide them. */
type ContractPrice = Pick<Price, "billingModel" | "unitAmountCents" | "currency">;

/**
 * The part that makes a contract unknown. `manifest` if the version was read with a Project Key only, which shows
 * neither permissions nor runtime. `values` if JSON parsers disagree on a value.
 */
export type UnknownPart = "prices" | "publisher" | "permissions" | "manifest" | "values";

/** A contract with its hash, or the part that makes it unknown. */
export type ContractReading =
  | { readonly ok: true; readonly contract: Contract; readonly hash: string }
  | {
      readonly ok: false;
      readonly unknown: UnknownPart;
      /** The known parts, if the skill was read with a Project Key only. */
      readonly knownParts?: PartialContract;
      /** The permissions, if one of them has an unknown name. */
      readonly permissions?: Permissions;
    };

/** The parts of a contract that a registry publishes, or returns for a Project Key. */
interface PartialContract
  extends Pick<Contract, "inputSchema" | "outputSchema" | "publisher" | "prices"> {
  readonly runtimeType: string | undefined;
  /** The permission level, which the registry derived from permissions that it does not show. */
  readonly level: string | undefined;
}

/**
 * Reads the contract of a skill. `digest` returns the SHA-256 of a text's UTF-8 bytes in hex. The contract is unknown
 * if the source of prices or publisher did not respond, or if a permission has an unknown name (`permissions`). It is
 * also unknown if the registry returned only the schemas (`manifest`), or if JSON parsers disagree on a value
 * (`values`).
 */
export function readContract(
  skill: SkillDetail,
  digest: (text: string) => string,
): ContractReading {
  // If the skill was read with a Project Key only, its prices are missing because its whole manifest is.
  if (isPriceUnanswered(skill)) {
    return { ok: false, unknown: skill.isManifestUnknown ? "manifest" : "prices" };
  }
  if (skill.unanswered?.includes("publisher")) return { ok: false, unknown: "publisher" };
  const { permissions, summary } = skill;
  if (permissions?.others !== undefined) return { ok: false, unknown: "permissions", permissions };
  const contract = contractOf(skill);
  if (!isUnambiguous(skill, contract)) return { ok: false, unknown: "values" };
  if (skill.isManifestUnknown) {
    const { inputSchema, outputSchema, publisher, prices } = contract;
    const { runtimeType, permissionLevel: level } = summary;
    const knownParts = { inputSchema, outputSchema, publisher, prices, runtimeType, level };
    return { ok: false, unknown: "manifest", knownParts };
  }
  return { ok: true, contract, hash: contractHash(contract, digest) };
}

/** Returns whether every JSON parser reads the same contract: no digit is lost, and no object has a name twice. */
function isUnambiguous(
  { lossyNumbers = [], repeatsNames }: SkillDetail,
  contract: Contract,
): boolean {
  if (repeatsNames === true || !isInterchangeable(contract)) return false;
  const isLossy = (value: number) => lossyNumbers === "many" || lossyNumbers.includes(value);
  return lossyNumbers.length === 0 || !hasNumber(contract, isLossy);
}

function hasNumber(value: unknown, matches: (value: number) => boolean): boolean {
  if (typeof value === "number") return matches(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((inner) => hasNumber(inner, matches));
}

/** Hashes a contract: `contract-v1:sha256-` and the SHA-256 of its canonical JSON (RFC 8785) in hex. */
export function contractHash(contract: Contract, digest: (text: string) => string): string {
  return `contract-v1:sha256-${digest(canonicalText(contract))}`;
}

/** Returns a skill's known declaration, for a comparison. */
export function declarationOf(skill: SkillDetail): Declaration {
  const { permissions = null, runtime } = skill;
  const entry = runtime && entryText(runtime);
  return { ...contractOf(skill), permissions, ...(entry !== undefined && { entry }) };
}

/** Writes where a skill runs as one text: the address without its query, or the command, and the arguments. */
function entryText(runtime: SkillRuntime): string | undefined {
  const { entry, args = [], redactedArgs } = runtime;
  if (entry === undefined) return undefined;
  const hidden = redactedArgs === undefined ? [] : [`[${redactedArgs}]`];
  const address = hostOf(runtime) === null ? entry : bareAddress(entry);
  return [address, ...args, ...hidden].join(" ");
}

function contractOf(skill: SkillDetail): Contract {
  const { permissions, runtime, summary } = skill;
  return {
    inputSchema: skill.inputSchema ?? null,
    outputSchema: skill.outputSchema ?? null,
    permissions:
      permissions === undefined
        ? null
        : {
            browser: permissions.browser,
            filesystem: permissions.filesystem,
            network: permissions.network,
            secretCount: permissions.secretCount,
            secretNames: [...permissions.secretNames].sort(),
          },
    runtime: runtime === undefined ? null : { type: runtime.type, host: hostOf(runtime) },
    publisher: contractPublisher(summary),
    prices: pricesOf(skill).map(contractPrice).toSorted(byCanonicalJson),
  };
}

/** Names a publisher as contracts do. */
export function contractPublisher({ publisher }: Pick<SkillSummary, "publisher">): string | null {
  return publisher?.slug ?? publisher?.name ?? null;
}

/** Returns the host of a skill's runtime; null if its address names none. */
export function hostOf({ type, entry }: SkillRuntime): string | null {
  if (type === "local" || entry === undefined) return null;
  const url = parseUrl(entry);
  if (url === undefined || url.host === "") return null;
  return url.protocol === "https:" ? url.host : `${url.protocol}//${url.host}`;
}

function contractPrice({ billingModel, unitAmountCents, currency }: Price): ContractPrice {
  return {
    billingModel,
    ...(unitAmountCents !== undefined && { unitAmountCents }),
    ...(currency !== undefined && { currency }),
  };
}

function byCanonicalJson(one: ContractPrice, other: ContractPrice): number {
  const [left, right] = [one, other].map((price) => canonicalText(price));
  return (left ?? "") < (right ?? "") ? -1 : 1;
}

/** A part in which two contracts can differ. */
export type ContractPart = keyof Contract;

/** A contract that somebody reviewed or agreed to, with its hash. */
export interface KnownContract {
  readonly contract: Contract | Declaration;
  readonly hash: string;
}

/**
 * Reads the contract of a skill. If a Project Key shows only parts of it, completes it with the `reviewed` contract of
 * the same version where `completeContract` can.
 */
export function readContractAs(
  skill: SkillDetail,
  reviewed: KnownContract | undefined,
  digest: (text: string) => string,
): ContractReading {
  const read = readContract(skill, digest);
  if (read.ok || read.knownParts === undefined || reviewed === undefined) return read;
  return completeContract(read.knownParts, reviewed) ?? read;
}

/**
 * Returns the permission level of a skill. If the skill was read with a Project Key only, the permissions in its
 * contract decide.
 */
export function levelByContract(skill: SkillDetail, contract: ContractReading): PermissionLevel {
  const permissions = contract.ok ? contract.contract.permissions : null;
  return skill.isManifestUnknown && permissions !== null
    ? permissionLevelOf(permissions)
    : assumedLevel(skill);
}

/**
 * Completes a contract of which only some parts are known with the reviewed contract of the same version. Undefined if
 * the permissions may differ, or the runtime is unknown. The hash is empty if a known part differs from the reviewed
 * contract.
 */
export function completeContract(
  { runtimeType, level, ...knownParts }: PartialContract,
  reviewed: KnownContract,
): Extract<ContractReading, { ok: true }> | undefined {
  const { permissions, runtime } = reviewed.contract;
  if (permissions === null || !runtimeType) return undefined;
  if (level?.toLowerCase() !== permissionLevelOf(permissions)) return undefined;
  const isSameRuntime = runtime?.type === runtimeType;
  const contract = {
    ...reviewed.contract,
    ...knownParts,
    ...(!isSameRuntime && { runtime: { type: runtimeType, host: null } }),
  };
  const isSame = canonicalText(contract) === canonicalText(reviewed.contract);
  // The hash of a different contract cannot be computed, since some of its parts are unknown.
  return { ok: true, contract, hash: isSame ? reviewed.hash : "" };
}
