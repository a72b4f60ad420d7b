import * as vscode from "vscode";
import { readRegistryOrigin } from "../../core/registry/registryOrigin";
import { localize } from "../../core/text/localizableText";
import { hostLanguage } from "../messages/hostLanguage";
import { readSettings, writeBaseUrl } from "../settings";
import { builtInRegistryTitle } from "./embeddedRegistry";

const useBuiltIn = "built-in";

/**
 * Connects the window to another registry: the given address, or the one the user chooses. An empty
 * address stands for the built-in registry. An invalid address is reported and not saved.
 */
export async function connectToRegistry(given: unknown): Promise<void> {
  const chosen = typeof given === "string" ? given.trim() : await askForAddress();
  if (chosen === undefined) return;
  if (chosen === "") return writeBaseUrl("");
  const read = readRegistryOrigin(chosen);
  if (read.ok) await writeBaseUrl(read.value.baseUrl);
  else await vscode.window.showErrorMessage(localize(read.problem, hostLanguage()));
}

async function askForAddress(): Promise<string | undefined> {
  const current = readSettings().baseUrl;
  const choice = await vscode.window.showQuickPick(
    [
      {
        label: vscode.l10n.t("$(globe) Registry at an address…"),
        description: current,
        id: "address",
      },
      {
        label: `$(vm) ${builtInRegistryTitle()}`,
        description: current === "" ? vscode.l10n.t("in use") : "",
        detail: vscode.l10n.t(
          "Runs on this machine, with sample skills and a Project Key of its own",
        ),
        id: useBuiltIn,
      },
    ],
    {
      title: vscode.l10n.t("Connect to Registry"),
      placeHolder: vscode.l10n.t("Select a registry"),
    },
  );
  if (choice === undefined) return undefined;
  if (choice.id === useBuiltIn) return "";
  return vscode.window.showInputBox({
    title: vscode.l10n.t("Connect to Registry"),
    prompt: vscode.l10n.t("Address of the registry"),
    placeHolder: "https://registry.example.com",
    value: current,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const read = readRegistryOrigin(text.trim());
      return read.ok ? undefined : localize(read.problem, hostLanguage());
    },
  });
}
