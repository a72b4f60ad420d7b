import * as vscode from "vscode";
import { readRegistryOrigin, readTypedAddress } from "../../core/registry/registryOrigin";
import { localize } from "../../core/text/language";
import { labelText } from "../../core/text/plainText";
import { readSettings, writeBaseUrl } from "../settings";
import { ask } from "../ui/ask";
import { hostLanguage } from "../ui/hostLanguage";
import { showError } from "../ui/messages";
import { builtInRegistryTitle } from "./registryConnection";

/** A row of the list of registries: `connect` is the address to connect to, empty for the built-in one. */
interface RegistryItem extends vscode.QuickPickItem {
  readonly connect?: string;
}

/**
 * Connects the window to another registry: the given address, or the one the user chooses. An empty address
 * means the built-in registry. An invalid address is reported and not saved.
 */
export async function connectToRegistry(given: unknown): Promise<void> {
  const chosen = typeof given === "string" ? given.trim() : await askForAddress();
  if (chosen === undefined) return;
  if (chosen === "") return writeBaseUrl("");
  const read = readRegistryOrigin(chosen);
  if (read.ok) await writeBaseUrl(read.value.baseUrl);
  else await showError(localize(read.problem, hostLanguage()));
}

async function askForAddress(): Promise<string | undefined> {
  const current = readSettings().baseUrl;
  const choice = await chooseRegistry(current);
  if (choice === undefined) return undefined;
  if (choice.item.connect !== undefined) return choice.item.connect;
  return ask({
    title: vscode.l10n.t("Connect to Registry"),
    prompt: vscode.l10n.t("Address of the registry"),
    placeHolder: "https://registry.example.com",
    value: choice.typed === "" ? current : choice.typed,
    problemOf: (text) => {
      const read = readRegistryOrigin(text.trim());
      return read.ok ? "" : localize(read.problem, hostLanguage());
    },
  });
}

/** Resolves to the chosen row with the typed text, and to undefined where the user canceled. */
function chooseRegistry(
  current: string,
): Promise<{ readonly item: RegistryItem; readonly typed: string } | undefined> {
  const pick = vscode.window.createQuickPick<RegistryItem>();
  const items: readonly RegistryItem[] = [
    {
      label: vscode.l10n.t("$(globe) Enter Registry Address…"),
      description: current,
    },
    {
      label: `$(vm) ${builtInRegistryTitle()}`,
      description: current === "" ? vscode.l10n.t("in use") : "",
      detail: vscode.l10n.t(
        "Runs on this machine, with sample skills and a Project Key of its own",
      ),
      connect: "",
    },
  ];
  pick.title = vscode.l10n.t("Connect to Registry");
  pick.placeholder = vscode.l10n.t("Select a registry or type its address");
  pick.items = items;
  pick.onDidChangeValue((typed) => {
    const item = typedItem(typed);
    pick.items = item === undefined ? items : [item];
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item === undefined) return;
      resolve({ item, typed: item === items[0] ? "" : pick.value.trim() });
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** The row for a typed address: it connects, or describes the problem and opens where to fix it. */
function typedItem(typed: string): RegistryItem | undefined {
  const read = readTypedAddress(typed);
  if (read === undefined) return undefined;
  const address = labelText(read.ok ? read.value.baseUrl : typed.trim(), 200);
  return {
    label: `$(globe) ${vscode.l10n.t("Connect to {0}", address)}`,
    alwaysShow: true,
    ...(read.ok
      ? { connect: read.value.baseUrl }
      : { detail: localize(read.problem, hostLanguage()) }),
  };
}
