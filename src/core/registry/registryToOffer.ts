import { isLoopbackName, readRegistryOrigin } from "./registryOrigin";

/** The facts that decide whether a registry is offered. */
export interface OfferContext {
  /** The registry in use, as reviews name it: its origin, or `built-in`. */
  readonly inUse: string;
  /** Whether the registry in use is the built-in one, which is the default. */
  readonly isBuiltIn: boolean;
  /** The registries that were already offered to the user in this workspace. */
  readonly alreadyOffered: readonly string[];
}

/**
 * Returns the origin that most reviews of a workspace name, to offer that registry. Undefined if some reviews are of
 * the registry in use (unless that is the built-in one), if the user was asked before, or if no name can be offered.
 */
export function registryToOffer(
  registries: readonly string[],
  { inUse, isBuiltIn, alreadyOffered }: OfferContext,
): string | undefined {
  const counts = new Map<string, number>();
  for (const registry of registries) {
    counts.set(registry, (counts.get(registry) ?? 0) + 1);
  }
  if (!isBuiltIn && counts.has(inUse)) return undefined;
  const [first] = [...counts]
    .filter(([registry]) => canBeOffered(registry) && !alreadyOffered.includes(registry))
    .toSorted(([, one], [, other]) => other - one);
  return first?.[0];
}

/** A registry to offer. `environment` is set if an environment names it; otherwise, reviews do. */
export interface OfferedRegistry {
  readonly address: string;
  readonly environment?: string;
}

/** The maximum number of offered registries: a notification's buttons. */
const maxOffered = 3;
/** The maximum characters of names and addresses that a notification shows completely. */
const maxOfferedText = 350;

/**
 * Returns the registries of a workspace to offer: those of its environments in order, then the one that most reviews
 * name. Empty if one of them is in use, unless that is the built-in one.
 */
export function registriesToOffer(
  environments: readonly { readonly name: string; readonly registry: string }[],
  reviewed: readonly string[],
  context: OfferContext,
): readonly OfferedRegistry[] {
  const { inUse, isBuiltIn, alreadyOffered } = context;
  const origins = environments.map(({ registry }) => originOf(registry));
  if (!isBuiltIn && [...origins, ...reviewed].includes(inUse)) return [];
  const named = environments
    .filter(({ registry }) => canBeOffered(registry) && !alreadyOffered.includes(registry))
    .map(({ name, registry }): OfferedRegistry => ({ address: registry, environment: name }));
  const review = registryToOffer(reviewed, context);
  if (review === undefined || origins.includes(review)) return fittingNotification(named);
  return fittingNotification([...named.slice(0, maxOffered - 1), { address: review }]);
}

function fittingNotification(offered: readonly OfferedRegistry[]): readonly OfferedRegistry[] {
  let remaining = maxOfferedText;
  return offered.slice(0, maxOffered).filter(({ address, environment = "" }) => {
    remaining -= address.length + environment.length;
    return remaining >= 0;
  });
}

function originOf(registry: string): string {
  const read = readRegistryOrigin(registry);
  return read.ok ? read.value.origin : registry;
}

/**
 * Lists the registries that a file of reviews or environments names, without parsing it. A new window uses the list to
 * decide whether to offer a registry, before it parses the files. Skips names that are too long to offer.
 */
export function registriesNamedIn(text: string): readonly string[] {
  return [...text.matchAll(/"registry"\s*:\s*"([^"]{1,100})"/g)].map(([, name = ""]) => name);
}

/** The maximum length of an address that a notification shows completely. */
const maxAddressLength = 100;

/**
 * Returns whether a repository's registry can be offered: a normalized https address with a host name. An IP address
 * does not show its owner, and an address of this machine means a different program for everybody.
 */
function canBeOffered(registry: string): boolean {
  if (registry.length > maxAddressLength) return false;
  const read = readRegistryOrigin(registry);
  if (!read.ok || read.value.baseUrl !== registry) return false;
  const { protocol, hostname } = new URL(registry);
  const isNumber = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  const isHere = isLoopbackName(hostname) || hostname.endsWith(".localhost");
  return protocol === "https:" && !isNumber && !isHere;
}

/** The maximum number of stored registries, so that a repository cannot fill the editor's memory. */
const maxStored = 50;

/** Reads the stored list of registries that were already offered. */
export function readOfferedRegistries(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is string => typeof item === "string").slice(0, maxStored);
}

/** Returns whether the maximum number of registries was already offered. */
export function hasOfferedMaximum(alreadyOffered: readonly string[]): boolean {
  return alreadyOffered.length >= maxStored;
}
