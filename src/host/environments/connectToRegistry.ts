import * as vscode from "vscode";
import { type RegistryFailure, registryFailureText } from "../../core/registry/registryFailure";
import { readRegistryOrigin, readTypedAddress } from "../../core/registry/registryOrigin";
import { localize } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { builtInRegistryTitle, type RegistryConnection } from "../connect/registryConnection";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, showError, warn } from "../ui/messages";
import { withWaiting } from "../ui/progress";
import { ask } from "../ui/quickInput/ask";
import { type ChoiceRow, type ListItem, listItems, openList } from "../ui/quickInput/choose";
import { type Memory, StoredValue } from "../ui/stored";
import type { RecentRegistries } from "./recentRegistries";
import type { Place, WindowPlace } from "./windowPlace";
import {
  addressOfEnvironment,
  type ListedEnvironment,
  type WorkspaceEnvironments,
} from "./workspaceEnvironments";

/** The dependencies of connecting to a registry. */
export interface ConnectParts {
  readonly place: WindowPlace;
  readonly environments: WorkspaceEnvironments;
  readonly recent: RecentRegistries;
  readonly connection: Pick<RegistryConnection, "tried">;
  readonly memory: Memory;
}

/** The target of a row: a place, or the input for an address. */
type Target =
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "environment"; readonly environment: ListedEnvironment }
  | { readonly kind: "typed"; readonly text: string };

/**
 * Connects the window to another registry: the given address, or the environment or registry that the user chooses. An
 * empty address is the built-in registry. A choice is tried first; a given address was decided on before.
 */
export async function connectToRegistry(parts: ConnectParts, given?: unknown): Promise<void> {
  if (typeof given !== "string") return connectTo(parts, await chooseTarget(parts));
  const address = given.trim();
  if (address === "") return parts.place.choose({ address });
  const read = readRegistryOrigin(address);
  if (read.ok) await parts.place.choose({ address: read.value.baseUrl });
  else await showError(localize(read.problem, hostLanguage()));
}

/** Connects to the registry of an environment or to an address, if it answers or the user insists. */
export async function connectTo(parts: ConnectParts, target: Target | undefined): Promise<void> {
  switch (target?.kind) {
    case undefined:
      return;
    case "typed":
      return connectTo(parts, await typeAddress(parts, target.text));
    case "address":
      return switchTo(parts, { address: target.address });
    case "environment": {
      const { environment } = target;
      if (!(await agreesTo(parts, environment))) return;
      const address = addressOfEnvironment(environment);
      return switchTo(parts, { address, environment: environment.name });
    }
  }
}

/** The window stays where it is until the other registry has answered. */
async function switchTo({ place, recent, connection }: ConnectParts, to: Place): Promise<void> {
  const { address } = to;
  if (address !== "" && address !== place.address) {
    const shown = oneLine(address, 180);
    const tried = await withWaiting(vscode.l10n.t("Connecting to {0}", shown), (signal) =>
      connection.tried(address, signal),
    );
    if (tried === undefined) return;
    if (tried !== "answered" && !(await wantsAnyway(shown, tried))) return;
    if (tried === "answered") await recent.note(address);
  }
  await place.choose(to);
}

async function wantsAnyway(shown: string, failure: RegistryFailure): Promise<boolean> {
  const anyway = vscode.l10n.t("Use Anyway");
  const reason = registryFailureText(failure, hostLanguage());
  const message = vscode.l10n.t("{0} did not answer as a registry. {1}", shown, reason);
  return (await warn(message, anyway)) === anyway;
}

/** Asks once in each workspace about an address that a repository names: a person decides where keys go. */
async function agreesTo({ memory }: ConnectParts, one: ListedEnvironment): Promise<boolean> {
  const address = addressOfEnvironment(one);
  const agreed = agreedAddresses(memory);
  if (address === "" || agreed.get().includes(address)) return true;
  const isAgreed = await confirm({
    message: vscode.l10n.t("Use the registry {0} in this window?", oneLine(address, 180)),
    detail: vscode.l10n.t(
      "A file of this repository names it for the environment {0}. Your Project Key for it, and what you send, go there.",
      one.name,
    ),
    agree: vscode.l10n.t("Use Registry"),
  });
  if (isAgreed) await agreed.set([...agreed.get(), address].slice(-maxAgreed));
  return isAgreed;
}

const maxAgreed = 50;

function agreedAddresses(memory: Memory): StoredValue<readonly string[]> {
  const read = (kept: unknown): readonly string[] =>
    Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
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

/** Lists the environments of the repository, the registries that the user connected to, and the built-in one. */
async function chooseTarget(parts: ConnectParts): Promise<Target | undefined> {
  const listed = await parts.environments.list();
  const question = {
    title: vscode.l10n.t("Connect to Registry"),
    placeHolder: vscode.l10n.t("Select a registry or type its address"),
  };
  return openList<ListItem<Target>, Target>(question, (list, end) => {
    const draw = (typed = list.value) => {
      const row = typedRow(typed);
      list.items = listItems(row === undefined ? targetRows(parts, listed, draw) : [row]);
    };
    list.onDidChangeValue(draw);
    draw();
    list.onDidAccept(() => {
      const [item] = list.selectedItems;
      if (item?.value !== undefined) end(item.value);
    });
  });
}

function targetRows(
  { place, recent }: ConnectParts,
  listed: readonly ListedEnvironment[],
  draw: () => void,
): readonly ChoiceRow<Target>[] {
  return [
    ...listed.map((one) => environmentRow(one, place)),
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
      detail: vscode.l10n.t("Last used on {0}", used),
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

function environmentRow(one: ListedEnvironment, place: WindowPlace): ChoiceRow<Target> {
  const { name, registry, project, folder } = one;
  const isInUse = place.environment === name && place.address === addressOfEnvironment(one);
  const target = project === undefined ? registry : `${registry} · ${project}`;
  return {
    label: name,
    icon: "server-environment",
    description: [target, inUse(isInUse)].filter((text) => text !== "").join(" · "),
    detail: vscode.l10n.t("Environment of {0}", folder.name),
    value: { kind: "environment", environment: one },
  };
}

function inUse(isInUse: boolean): string {
  return isInUse ? vscode.l10n.t("in use") : "";
}

/** The row for a typed address: it connects, or describes the problem and opens where to fix it. */
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
