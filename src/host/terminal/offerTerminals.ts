import { delimiter, dirname } from "node:path";
import * as vscode from "vscode";
import { windowVariable } from "../../core/agents/agentSetup";
import type { Link } from "../../window/link";
import { listenForCommands, type WindowServer } from "../../window/windowServer";
import { settingName } from "../settingRows";
import { readSettings } from "../settings";
import { Owner } from "../ui/owner";
import { renewLauncher, writeLauncher } from "./launcherFile";

/** The dependencies of the offer to terminals. */
interface TerminalParts {
  readonly context: vscode.ExtensionContext;
  /** Serves a command of a terminal of this window. */
  readonly serve: (link: Link) => Promise<void>;
  readonly noteFailure: (text: string) => void;
}

/**
 * Puts `skill-registry` on the PATH of new terminals: a launcher in the extension's storage, whose path stays the same
 * over updates and which runs the command line with the editor's own Node.js. Its commands can ask this window, through
 * an address and a token in a variable. In an untrusted window, or if the user turned it off, only renews an existing
 * launcher.
 */
export class TerminalOffer extends Owner {
  private server: WindowServer | undefined;
  private work: Promise<void> = Promise.resolve();

  constructor(private readonly parts: TerminalParts) {
    super();
    this.own(
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.follow()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settingName("terminalCommand"))) this.follow();
      }),
    );
    this.follow();
  }

  override dispose(): void {
    super.dispose();
    this.work = this.work.then(() => this.stopListening());
  }

  /** Applies one change after the other, since each takes a while. */
  private follow(): void {
    this.work = this.work.then(() => this.apply()).catch(() => undefined);
  }

  private async apply(): Promise<void> {
    const { environmentVariableCollection: variables } = this.parts.context;
    if (this.isWanted) {
      variables.description = vscode.l10n.t(
        "The command skill-registry, of the Skill Registry extension.",
      );
      await this.offerCommand(variables);
      await this.offerWindow(variables);
    }
    // The user may have turned it off meanwhile.
    if (this.isWanted || this.untilDisposed.aborted) return;
    variables.clear();
    await this.stopListening();
    await renewLauncher(this.parts.context);
  }

  private get isWanted(): boolean {
    const isOn = readSettings().terminalCommand && vscode.workspace.isTrusted;
    return isOn && !this.untilDisposed.aborted;
  }

  private async offerCommand(variables: vscode.EnvironmentVariableCollection): Promise<void> {
    try {
      const folder = dirname(await writeLauncher(this.parts.context));
      variables.prepend("PATH", `${folder}${delimiter}`);
    } catch (error) {
      this.parts.noteFailure(`The command for terminals could not be written: ${String(error)}`);
    }
  }

  private async offerWindow(variables: vscode.EnvironmentVariableCollection): Promise<void> {
    try {
      this.server ??= await listenForCommands(this.parts.serve);
      variables.replace(windowVariable, this.server.variable);
    } catch (error) {
      variables.delete(windowVariable);
      this.parts.noteFailure(`Commands of terminals cannot ask this window: ${String(error)}`);
    }
  }

  private async stopListening(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    // The editor restores variables in the workspace's next window, which has its own token.
    this.parts.context.environmentVariableCollection.delete(windowVariable);
    await server.close();
  }
}
