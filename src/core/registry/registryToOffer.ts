import { isLoopbackName, readRegistryOrigin } from "./registryOrigin";

/** The facts that decide whether a registry is offered. */
export interface OfferContext {
  /** As reviews name the registry in use: its origin, or `built-in`. */
  readonly inUse: string;
  /** Whether the registry in use is the built-in one, where everybody starts. */
  readonly isBuiltIn: boolean;
  /** The registries that the user was asked about in this workspace. */
  readonly asked: readonly string[];
}

/**
 * Returns the origin of the registry that most reviews of a workspace name, to offer it. Undefined where some reviews
 * are of the registry in use (unless that is the built-in one), and where the user was asked or no name can be offered.
 */
export function registryToOffer(
  registries: readonly string[],
  { inUse, isBuiltIn, asked }: OfferContext,
): string | undefined {
  const counts = new Map<string, number>();
  for (const registry of registries) {
    counts.set(registry, (counts.get(registry) ?? 0) + 1);
  }
  if (!isBuiltIn && counts.has(inUse)) return undefined;
  const [first] = [...counts]
    .filter(([registry]) => canBeOffered(registry) && !asked.includes(registry))
    .toSorted(([, one], [, other]) => other - one);
  return first?.[0];
}

/** A registry that is offered, by the environment that names it; without one, the registry of the reviews. */
export interface OfferedRegistry {
  readonly address: string;
  readonly environment?: string;
}

/** As many as a notification has buttons for. */
const maxOffered = 3;
/** As many characters of names and addresses as a notification shows without cutting one. */
const maxOfferedText = 350;

/**
 * Returns the registries of a workspace to offer: those of its environments, in their order, and that of most reviews
 * where no environment has it. None where one of them is in use, unless that is the built-in one.
 */
export function registriesToOffer(
  environments: readonly { readonly name: string; readonly registry: string }[],
  reviewed: readonly string[],
  context: OfferContext,
): readonly OfferedRegistry[] {
  const { inUse, isBuiltIn, asked } = context;
  const origins = environments.map(({ registry }) => originOf(registry));
  if (!isBuiltIn && [...origins, ...reviewed].includes(inUse)) return [];
  const named = environments
    .filter(({ registry }) => canBeOffered(registry) && !asked.includes(registry))
    .map(({ name, registry }): OfferedRegistry => ({ address: registry, environment: name }));
  const review = registryToOffer(reviewed, context);
  if (review === undefined || origins.includes(review)) return shownWhole(named);
  return shownWhole([...named.slice(0, maxOffered - 1), { address: review }]);
}

function shownWhole(offered: readonly OfferedRegistry[]): readonly OfferedRegistry[] {
  let left = maxOfferedText;
  return offered.slice(0, maxOffered).filter(({ address, environment = "" }) => {
    left -= address.length + environment.length;
    return left >= 0;
  });
}

function originOf(registry: string): string {
  const read = readRegistryOrigin(registry);
  return read.ok ? read.value.origin : registry;
}

/**
 * Lists the registries that a file of reviews or environments names, by its text alone: enough to know in a window that
 * has just opened whether one may be offered, before the files are read. A longer name is none that can be offered.
 */
export function registriesNamedIn(text: string): readonly string[] {
  return [...text.matchAll(/"registry"\s*:\s*"([^"]{1,100})"/g)].map(([, name = ""]) => name);
}

/** A longer address could not be read as a whole in a notification. */
const maxAddressLength = 100;

/**
 * Whatever stands in a repository is only offered in the form that is shown and connected to, encrypted, and by a name:
 * a number does not say whose it is, and on this machine another program answers for everybody.
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

/** A repository cannot fill the editor's memory; who was asked about so many is not asked again. */
const maxAsked = 50;

/** Reads the registries that the user was asked about. */
export function readAskedRegistries(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is string => typeof one === "string").slice(0, maxAsked);
}

/** Returns whether the user was asked about as many registries as one workspace may. */
export function isAskedEnough(asked: readonly string[]): boolean {
  return asked.length >= maxAsked;
}
