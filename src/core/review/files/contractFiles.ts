import contractSchema from "../../../../media/schemas/contract.schema.json";
import { isInterchangeable, type JsonValue } from "../../json/jsonValue";
import { readTeamFile, type TeamFileReading } from "../../payload/readTeamFile";
import { type Contract, contractHash } from "../../skill/compare/contract";
import { readSkillAddress, type SkillAddress } from "../../skill/skillAddress";
import type { Language } from "../../text/language";
import { lastReviews, type Review, type VersionReview } from "./reviewFiles";

/** A contract as its file contains it, with its computed hash. */
export interface ContractFile extends ContractName {
  readonly contract: Contract;
  readonly hash: string;
}

/** Reads a contract's file. `name` is the file's name in the folder; `digest` is as for `readContract`. */
export function readContractFile(
  name: string,
  text: string,
  digest: (text: string) => string,
  language: Language,
): TeamFileReading<ContractFile> {
  const { t } = language;
  const format = { schema: contractSchema as JsonValue, maxLength: 4_000_000 };
  interface Written extends Omit<ContractName, "slug"> {
    readonly skill: string;
    readonly contract: Contract;
  }
  const nameOf = ({ skill: slug, version, registry }: Written) =>
    contractFileName({ slug, version, ...(registry !== undefined && { registry }) });
  const read = readTeamFile<Written>(text, format, language, (written) => [
    ...(name === nameOf(written)
      ? []
      : [
          {
            pointer: "",
            message: t("The name of this file must be {name}.", { name: nameOf(written) }),
          },
        ]),
    ...(isInterchangeable(written.contract)
      ? []
      : [
          {
            pointer: "/contract",
            message: t("JSON parsers disagree on a number or string in the contract."),
          },
        ]),
  ]);
  if (!read.ok) return read;
  const { skill: slug, version, registry, contract } = read.value;
  const at = registry === undefined ? {} : { registry };
  const hash = contractHash(contract, digest);
  return { ok: true, value: { slug, version, ...at, contract, hash } };
}

/**
 * The identity of a contract. `registry` is left out for the file that all registries share. A registry that has
 * another contract for this version gets a file of its own; then `registry` names it as a review does.
 */
interface ContractName extends SkillAddress {
  readonly registry?: string;
}

/** Names the file of a contract in its folder: `<slug>@<version>.json`, or `<slug>@<version>@<registry>.json`. */
export function contractFileName({ slug, version, registry }: ContractName): string {
  if (registry === undefined) return `${slug}@${version}.json`;
  // Keep only characters that every file system allows. The usual scheme, https, is left out.
  const host = registry.replace(/^https:\/\//, "").replace(/[^0-9A-Za-z.-]+/g, "_");
  return `${slug}@${version}@${host}.json`;
}

/** Returns whether a file name is that of a contract. */
export function isContractFile(name: string): boolean {
  const [slug, version = "", registry, ...more] = name.replace(/\.json$/, "").split("@");
  const isSkill = readSkillAddress(`${slug}@${version}`) !== undefined;
  return name.endsWith(".json") && isSkill && registry !== "" && more.length === 0;
}

/** Contracts by their `contractKey`. */
export type Contracts = ReadonlyMap<string, ContractFile>;

/** Returns the key of a contract in `Contracts`: `slug@version`, or with `@registry`. */
export function contractKey({ slug, version, registry }: ContractName): string {
  return registry === undefined ? `${slug}@${version}` : `${slug}@${version}@${registry}`;
}

/**
 * Returns a function that chooses the file for a contract. It is the shared file, unless that contains another contract
 * to which the last review at another registry refers.
 */
export function contractNamer(
  reviews: readonly Review[],
  contracts: Contracts,
): (version: Required<ContractName>, hash: string) => ContractName {
  /** For each contract of a version, the registries whose last review refers to it. */
  const holders = new Map<string, Set<string>>();
  for (const { skill: slug, version, registry, contract } of lastReviews(reviews)) {
    const name = `${contractKey({ slug, version })} ${contract}`;
    holders.set(name, (holders.get(name) ?? new Set()).add(registry));
  }
  return ({ slug, version, registry }, hash) => {
    const key = contractKey({ slug, version });
    const shared = contracts.get(key)?.hash;
    const sharing = holders.get(`${key} ${shared}`) ?? new Set();
    const isTaken = shared !== hash && sharing.size > (sharing.has(registry) ? 1 : 0);
    const isOwn = contracts.has(contractKey({ slug, version, registry }));
    return isTaken || isOwn ? { slug, version, registry } : { slug, version };
  };
}

/** Finds the contract of a review. Undefined if its file is missing or has another hash. */
export function contractOf(
  contracts: Contracts,
  { skill: slug, version, registry, contract }: VersionReview,
): ContractFile | undefined {
  const names: readonly ContractName[] = [
    { slug, version, registry },
    { slug, version },
  ];
  return names
    .map((name) => contracts.get(contractKey(name)))
    .find((found) => found?.hash === contract);
}
