import * as vscode from "vscode";
import { readRegistryOrigin, readTypedAddress } from "../../core/registry/registryOrigin";
import { localize } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { readSettings, writeBaseUrl } from "../settings";
import { hostLanguage } from "../ui/hostLanguage";
import { showError } from "../ui/messages";
import { ask } from "../ui/quickInput/ask";
import { type ChoiceRow, type ListItem, listItems, openList } from "../ui/quickInput/choose";
import { builtInRegistryTitle } from "./registryConnection";

/** A row of the list of registries, by its address, empty for the built-in one; undefined where it is to be typed. */
type RegistryRow = ChoiceRow<string | undefined>;

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
  const chosen = await chooseRegistry(current);
  if (chosen === undefined || typeof chosen === "string") return chosen;
  return ask({
    title: vscode.l10n.t("Connect to Registry"),
    prompt: vscode.l10n.t("Address of the registry"),
    placeHolder: "https://registry.example.com",
    value: chosen.typed === "" ? current : chosen.typed,
    problemOf: (text) => {
      const read = readRegistryOrigin(text.trim());
      return read.ok ? "" : localize(read.problem, hostLanguage());
    },
    back: askForAddress,
  });
}

/** Resolves to an address, to the text where it has to be completed, and to undefined where the user canceled. */
function chooseRegistry(current: string): Promise<string | { readonly typed: string } | undefined> {
  const rows: readonly RegistryRow[] = [
    {
      label: vscode.l10n.t("Enter Registry Address…"),
      icon: "globe",
      description: current,
      value: undefined,
    },
    {
      label: builtInRegistryTitle(),
      icon: "vm",
      description: current === "" ? vscode.l10n.t("in use") : "",
      detail: vscode.l10n.t(
        "Runs on this machine, with sample skills and a Project Key of its own",
      ),
      value: "",
    },
  ];
  const question = {
    title: vscode.l10n.t("Connect to Registry"),
    placeHolder: vscode.l10n.t("Select a registry or type its address"),
  };
  return openList<ListItem<string | undefined>, string | { readonly typed: string }>(
    question,
    (list, end) => {
      list.items = listItems(rows);
      list.onDidChangeValue((typed) => {
        const row = typedRow(typed);
        list.items = listItems(row === undefined ? rows : [row]);
      });
      list.onDidAccept(() => {
        const [item] = list.selectedItems;
        if (item !== undefined)
          end(item.value ?? { typed: item.alwaysShow ? list.value.trim() : "" });
      });
    },
  );
}

/** The row for a typed address: it connects, or describes the problem and opens where to fix it. */
function typedRow(typed: string): RegistryRow | undefined {
  const read = readTypedAddress(typed);
  if (read === undefined) return undefined;
  const address = oneLine(read.ok ? read.value.baseUrl : typed.trim(), 180);
  return {
    label: vscode.l10n.t("Connect to {0}", address),
    icon: "globe",
    alwaysShow: true,
    ...(read.ok
      ? { value: read.value.baseUrl }
      : { detail: localize(read.problem, hostLanguage()), value: undefined }),
  };
}
