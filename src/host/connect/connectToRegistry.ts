import * as vscode from "vscode";
import { accountLabel, type UserSession } from "../../core/account/sessions";
import { isJsonObject } from "../../core/json/jsonValue";
import { type RegistryFailure, registryFailureText } from "../../core/registry/registryFailure";
import { builtInRegistryName } from "../../core/registry/registryName";
import { readRegistryOrigin, readTypedAddress } from "../../core/registry/registryOrigin";
import type { OfferedRegistry } from "../../core/registry/registryToOffer";
import { localize } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import type { Place, WindowPlace } from "../environments/windowPlace";
import {
  addressOfEnvironment,
  type ListedEnvironment,
  type WorkspaceEnvironments,
} from "../environments/workspaceEnvironments";
import type { ProjectKeys } from "../keys/projectKeys";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, showError, warn } from "../ui/messages";
import { withWaiting } from "../ui/progress";
import { ask } from "../ui/quickInput/ask";
import { type ChoiceRow, type ListItem, listItems, openList } from "../ui/quickInput/choose";
import { type Memory, StoredValue } from "../ui/stored";
import type { UserSessions } from "../workspace/account/userSessions";
import type { RecentRegistries } from "./recentRegistries";
import { builtInRegistryTitle, type RegistryConnection } from "./registryConnection";

/** The dependencies of connecting to a registry. */
interface ConnectParts {
  readonly place: WindowPlace;
  readonly environments: WorkspaceEnvironments;
  readonly recent: RecentRegistries;
  readonly connection: Pick<RegistryConnection, "tryRegistry">;
  readonly memory: Memory;
  readonly keys: Pick<ProjectKeys, "hasStored">;
  readonly sessions: Pick<UserSessions, "list">;
  /** Chooses a project of the signed-in user of the registry in use. */
  readonly chooseProject: (slug: string) => Promise<unknown>;
}

/** What a row leads to: an address, an environment, or an input box for an address. */
type Target =
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "environment"; readonly environment: ListedEnvironment }
  | { readonly kind: "typed"; readonly text: string };

/**
 * Connects the window to another registry: the given address or `NamedTarget`, or what the user chooses. An empty
 * address is the built-in registry. A chosen registry is tried first. A given address is used at once, since the user or
 * their script has already decided on it.
 */
export async function connectToRegistry(parts: ConnectParts, given?: unknown): Promise<void> {
  if (isJsonObject(given) && typeof given["registry"] === "string") {
    return connectToNamed(parts, given as unknown as NamedTarget);
  }
  if (typeof given !== "string") return connectTo(parts, await chooseTarget(parts));
  const address = given.trim();
  if (address === "") return parts.place.choose({ address });
  const read = readRegistryOrigin(address);
  if (read.ok) await parts.place.choose({ address: read.value.baseUrl });
  else await showError(localize(read.problem, hostLanguage()));
}

/** A registry as environments and records name it, and the environment to use there if the workspace still has it. */
export interface NamedTarget {
  readonly registry: string;
  readonly environment?: string;
}

/** Connects to a registry by its name: through its environment, after the questions of each. */
async function connectToNamed(
  parts: ConnectParts,
  { registry, environment }: NamedTarget,
): Promise<void> {
  const listed = await parts.environments.list();
  const found = listed.find((item) => item.name === environment && item.registry === registry);
  if (found !== undefined) return connectTo(parts, { kind: "environment", environment: found });
  const address = addressOfEnvironment({ registry });
  const read = readRegistryOrigin(address);
  if (address !== "" && !read.ok) {
    return void showError(localize(read.problem, hostLanguage()));
  }
  await connectTo(parts, { kind: "address", address });
}

/** Connects to an offered registry by its address. The user agreed to the address by accepting the offer. */
export async function connectToOffered(
  parts: ConnectParts,
  { address, environment }: OfferedRegistry,
): Promise<void> {
  const listed = await parts.environments.list();
  const found = listed.find((item) => item.name === environment && item.registry === address);
  if (environment !== undefined && found === undefined) return;
  if (found !== undefined) await noteAgreed(parts, address);
  if (found === undefined) await connectTo(parts, { kind: "address", address });
  else await connectTo(parts, { kind: "environment", environment: found });
}

/** Connects to a registry that the workspace's reviews name, through its environment if it has one. */
export async function connectToReviewed(parts: ConnectParts, registry: string): Promise<void> {
  const read = readRegistryOrigin(registry);
  if (registry !== builtInRegistryName && !read.ok) {
    return void showError(localize(read.problem, hostLanguage()));
  }
  const address = registry === builtInRegistryName ? "" : registry;
  const listed = await parts.environments.list();
  const environments = listed.filter((item) => addressOfEnvironment(item) === address);
  const [environment] = environments;
  if (environment !== undefined && environments.length === 1) {
    return connectTo(parts, { kind: "environment", environment });
  }
  const why = vscode.l10n.t(
    "The reviews of this repository name it. Your Project Key for it, and what you send, go there.",
  );
  if (await agreesTo(parts, address, why)) await connectTo(parts, { kind: "address", address });
}

/** Connects to the registry of an environment or to an address, if it responds or the user insists. */
async function connectTo(parts: ConnectParts, target: Target | undefined): Promise<void> {
  switch (target?.kind) {
    case undefined:
      return;
    case "typed":
      return connectTo(parts, await typeAddress(parts, target.text));
    case "address":
      return switchTo(parts, { address: target.address });
    case "environment": {
      const { environment } = target;
      const address = addressOfEnvironment(environment);
      const why = vscode.l10n.t(
        "A file of this repository names it for the environment {0}. Your Project Key for it, and what you send, go there.",
        environment.name,
      );
      if (!(await agreesTo(parts, address, why))) return;
      const { name, project } = environment;
      const to = { address, environment: name, ...(project !== undefined && { project }) };
      return switchTo(parts, to);
    }
  }
}

/** Switches the window after the other registry has responded. */
async function switchTo(parts: ConnectParts, to: Place): Promise<void> {
  const { place, recent, connection } = parts;
  const { address, project } = to;
  if (address !== "" && address !== place.address) {
    const shown = oneLine(address, 180);
    const choice = place.choices.begin();
    const tried = await withWaiting(vscode.l10n.t("Connecting to {0}", shown), (signal) =>
      connection.tryRegistry(address, signal),
    );
    if (tried === undefined || choice.aborted) return;
    if (tried !== "answered" && !(await wantsAnyway(shown, tried))) return;
    if (tried === "answered") await recent.note(address);
  }
  await place.choose(to);
  if (project !== undefined) await parts.chooseProject(project);
}

async function wantsAnyway(shown: string, failure: RegistryFailure): Promise<boolean> {
  const anyway = vscode.l10n.t("Use Anyway");
  const reason = registryFailureText(failure, hostLanguage());
  const message = vscode.l10n.t("{0} did not answer as a registry. {1}", shown, reason);
  return (await warn(message, anyway)) === anyway;
}

/** Asks once per workspace about an address that a repository names, since a person decides where keys are sent. */
async function agreesTo(parts: ConnectParts, address: string, why: string): Promise<boolean> {
  if (address === "" || agreedAddresses(parts.memory).get().includes(address)) return true;
  const isAgreed = await confirm({
    message: vscode.l10n.t("Use the registry {0} in this window?", oneLine(address, 180)),
    detail: why,
    agree: vscode.l10n.t("Use Registry"),
  });
  if (isAgreed) await noteAgreed(parts, address);
  return isAgreed;
}

async function noteAgreed({ memory }: ConnectParts, address: string): Promise<void> {
  const agreed = agreedAddresses(memory);
  await agreed.set([...agreed.get(), address].slice(-maxAgreed));
}

const maxAgreed = 50;

function agreedAddresses(memory: Memory): StoredValue<readonly string[]> {
  const read = (kept: unknown): readonly string[] =>
    Array.isArray(kept) ? kept.filter((item) => typeof item === "string") : [];
  return new StoredValue(memory, "agreedAddresses", read);
}

async function typeAddress(parts: ConnectParts, typed: string): Promise<Target | undefined> {
  const { address } = parts.place;
  const answer = await ask({
    title: vscode.l10n.t("Connect to Registry"),
    prompt: vscode.l10n.t("Address of the registry"),
    placeHolder: "https://registry.example.com",
    value: typed === "" ? address : typed,
    problemOf: (text) => {
      const read = readRegistryOrigin(text.trim());
      return read.ok ? "" : localize(read.problem, hostLanguage());
    },
    back: () => chooseTarget(parts),
  });
  if (typeof answer === "object") return answer;
  const read = answer === undefined ? undefined : readRegistryOrigin(answer.trim());
  return read?.ok ? { kind: "address", address: read.value.baseUrl } : undefined;
}

/** Lists the environments of the repository, the user's recent registries, and the built-in one. */
async function chooseTarget(parts: ConnectParts): Promise<Target | undefined> {
  const [listed, sessions] = await Promise.all([parts.environments.list(), parts.sessions.list()]);
  const question = {
    title: vscode.l10n.t("Connect to Registry"),
    placeHolder: vscode.l10n.t("Select a registry or type its address"),
  };
  return openList<ListItem<Target>, Target>(question, (list, end) => {
    const draw = (typed = list.value) => {
      const row = typedRow(typed);
      list.items = listItems(row === undefined ? targetRows(parts, listed, sessions, draw) : [row]);
    };
    list.onDidChangeValue(draw);
    draw();
    list.onDidAccept(() => {
      // A user may press Enter before the editor shows the row of the typed address.
      const value = typedRow(list.value)?.value ?? list.selectedItems[0]?.value;
      if (value !== undefined) end(value);
    });
  });
}

function targetRows(
  { place, recent, keys }: ConnectParts,
  listed: readonly ListedEnvironment[],
  sessions: readonly UserSession[],
  draw: () => void,
): readonly ChoiceRow<Target>[] {
  const stateOf = (address: string): readonly string[] => {
    const read = readRegistryOrigin(address);
    if (!read.ok) return [];
    const { origin } = read.value;
    const accounts = sessions.filter((session) => session.origin === origin).map(accountLabel);
    const key = keys.hasStored(origin)
      ? vscode.l10n.t("Project Key set")
      : vscode.l10n.t("no Project Key");
    return [accounts.at(-1) ?? vscode.l10n.t("not signed in"), key];
  };
  return [
    ...listed.map((environment) =>
      environmentRow(environment, place, stateOf(addressOfEnvironment(environment))),
    ),
    {
      label: vscode.l10n.t("Enter Registry Address…"),
      icon: "globe",
      description: place.address,
      value: { kind: "typed", text: "" } as const,
    },
    ...recent.list().map(({ address, used }) => ({
      label: address,
      icon: "history",
      description: inUse(place.address === address && place.environment === undefined),
      detail: [...stateOf(address), vscode.l10n.t("Last used on {0}", used)].join(" · "),
      buttons: [
        {
          icon: "close",
          title: vscode.l10n.t("Forget"),
          press: () => void recent.forget(address).then(() => draw()),
        },
      ],
      value: { kind: "address", address } as const,
    })),
    {
      label: builtInRegistryTitle(),
      icon: "vm",
      description: inUse(place.address === "" && place.environment === undefined),
      detail: vscode.l10n.t(
        "Runs on this machine, with sample skills and a Project Key of its own",
      ),
      value: { kind: "address", address: "" } as const,
    },
  ];
}

function environmentRow(
  one: ListedEnvironment,
  place: WindowPlace,
  state: readonly string[],
): ChoiceRow<Target> {
  const { name, registry, project, folder } = one;
  const isInUse = place.environment === name && place.address === addressOfEnvironment(one);
  const target = project === undefined ? registry : `${registry} · ${project}`;
  return {
    label: name,
    icon: "server-environment",
    description: [target, inUse(isInUse)].filter((text) => text !== "").join(" · "),
    detail: [vscode.l10n.t("Environment of {0}", folder.name), ...state].join(" · "),
    value: { kind: "environment", environment: one },
  };
}

function inUse(isInUse: boolean): string {
  return isInUse ? vscode.l10n.t("in use") : "";
}

/**
 * Returns the row for a typed address; undefined if the text is not an address. Choosing the row connects to the
 * address. For an invalid address, the row shows the problem, and choosing it opens an input box to correct the
 * address.
 */
function typedRow(typed: string): ChoiceRow<Target> | undefined {
  const read = readTypedAddress(typed);
  if (read === undefined) return undefined;
  const address = oneLine(read.ok ? read.value.baseUrl : typed.trim(), 180);
  return {
    label: vscode.l10n.t("Connect to {0}", address),
    icon: "globe",
    alwaysShow: true,
    ...(read.ok
      ? { value: { kind: "address", address: read.value.baseUrl } }
      : {
          detail: localize(read.problem, hostLanguage()),
          value: { kind: "typed", text: typed.trim() },
        }),
  };
}
