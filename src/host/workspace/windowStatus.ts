import * as vscode from "vscode";
import {
  accountLabel,
  expiryWarning,
  nextExpiryMoment,
  type UserSession,
} from "../../core/account/sessions";
import { type WindowFacts, windowRows } from "../../core/account/windowRows";
import { labelText, oneLine } from "../../core/text/plainText";
import { Timer } from "../../registry/wait";
import { currentRegistry } from "../connect/currentRegistry";
import { placeTitle, type RegistryConnection, registryTitle } from "../connect/registryConnection";
import { shortPlace, type WindowPlace } from "../environments/windowPlace";
import { commandIds, editorCommandIds } from "../ids";
import type { ProjectKeys } from "../keys/projectKeys";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { choose } from "../ui/quickInput/choose";
import type { CurrentProject } from "./currentProject";

/** The dependencies of showing what a window uses. */
interface WindowParts {
  readonly project: CurrentProject;
  readonly place: WindowPlace;
  readonly connection: RegistryConnection;
  readonly keys: Pick<ProjectKeys, "isSet">;
}

/** Lists what this window uses. Choosing a row runs the command that changes it. */
async function showWindow(parts: WindowParts): Promise<void> {
  const rows = factsOf(parts).then((facts) =>
    windowRows(facts, hostLanguage()).map(({ command, ...row }) => ({ ...row, value: command })),
  );
  const command = await choose(rows, {
    title: vscode.l10n.t("Skill Registry Window"),
    placeHolder: vscode.l10n.t("Choose what to change"),
  });
  if (command !== undefined) await vscode.commands.executeCommand(commandIds[command]);
}

async function factsOf({ project, place, connection, keys }: WindowParts): Promise<WindowFacts> {
  const [registry, account, chosen] = await Promise.all([
    currentRegistry(connection),
    project.accounts.inUse(),
    project.remembered(),
  ]);
  const hasKey = registry && (await keys.isSet(registry));
  const { environment, address } = place;
  return {
    registry: registry === undefined ? oneLine(address) : registryTitle(registry),
    environment,
    account: account && accountLabel(account.session),
    project: chosen?.chosen.name,
    hasKey,
  };
}

/**
 * Shows in the status bar what this window uses: its environment or registry and, while a user is signed in, its
 * project. The built-in registry is not named beside a project. A click lists everything that it uses.
 */
export class WindowStatus extends Owner {
  private readonly item = this.own(
    vscode.window.createStatusBarItem("skillRegistry.window", vscode.StatusBarAlignment.Left, 10),
  );
  private readonly expiring = this.own(new Timer());

  constructor(private readonly parts: WindowParts) {
    super();
    this.item.name = vscode.l10n.t("Skill Registry Window");
    this.item.command = editorCommandIds.showWindow;
    const { project, place } = parts;
    this.own(
      vscode.commands.registerCommand(editorCommandIds.showWindow, () => showWindow(parts)),
      project.onDidChange(() => void this.show()),
      place.onDidChange(() => void this.show()),
    );
    void this.show();
  }

  private async show(): Promise<void> {
    const { project, place } = this.parts;
    this.followExpiry((await project.accounts.inUse())?.session);
    const found = await project.remembered();
    if (found === undefined) return this.showPlace(placeTitle(place));
    const names = [shortPlace(place), found.chosen.name].filter((name) => name !== "");
    const who = oneLine(accountLabel(found.session), 200);
    const warning = expiryWarning(found.session, Date.now(), hostLanguage());
    const icon = warning === "" ? "project" : "warning";
    this.item.text = `$(${icon}) ${names.map((name) => labelText(name, 40)).join(" · ")}`;
    const facts = [
      vscode.l10n.t("Connected to {0}", oneLine(placeTitle(place))),
      vscode.l10n.t("Project {0}, signed in as {1}", oneLine(found.chosen.name), who),
      ...(warning === "" ? [] : [warning]),
    ];
    this.item.tooltip = facts.join("\n");
    this.item.accessibilityInformation = { label: facts.join(". ") };
    this.item.show();
  }

  private showPlace(title: string): void {
    const name = labelText(title, 40);
    this.item.text = `$(server-environment) ${name}`;
    this.item.tooltip = vscode.l10n.t("Connected to {0}", oneLine(title));
    this.item.accessibilityInformation = { label: this.item.tooltip };
    this.item.show();
  }

  /** Reads the project again when the sign-in expires, since a window may stay open without any action until then. */
  private followExpiry(session: UserSession | undefined): void {
    this.expiring.dispose();
    const now = Date.now();
    const moment = session && nextExpiryMoment(session, now);
    if (moment === undefined) return;
    this.expiring.after(moment - now, () => this.parts.project.refresh());
  }
}
