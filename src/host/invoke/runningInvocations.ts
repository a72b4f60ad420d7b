import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { doubleClickMs } from "../../core/invocation/underWay";
import { timeFormats } from "../../core/text/dates";
import { Timer } from "../../registry/wait";
import { documentOnScreen } from "../author/payloadDocument";
import { hostLanguage } from "../ui/hostLanguage";
import { inform } from "../ui/messages";
import { Owner } from "../ui/owner";
import { choose } from "../ui/quickInput/choose";

/** An invocation of this window that has not ended. */
export interface RunningInvocation {
  readonly payload: vscode.Uri;
  /** The skill with its version, as text. */
  readonly skill: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** The ID of its record, once there is one. */
  readonly recordId: string | undefined;
  readonly cancel: () => void;
}

/** Callbacks that report the record and the end of a started invocation. */
export interface StartedInvocation {
  readonly record: (record: InvocationRecord) => void;
  readonly end: () => void;
}

/**
 * Tracks the invocations of this window. An invocation is shown as running, with its start action replaced by a cancel
 * action, only after the time of a double click. Otherwise the second click would cancel what the first click started.
 */
export class RunningInvocations extends Owner {
  private readonly running = new Set<
    { -readonly [Name in keyof RunningInvocation]: RunningInvocation[Name] } & { isShown: boolean }
  >();
  private readonly changed = this.own(new vscode.EventEmitter<void>());

  /** Fires when an invocation begins to be shown as running, or ends. */
  readonly onDidChange = this.changed.event;

  /** The invocations that are shown as running, oldest first. */
  get shown(): readonly RunningInvocation[] {
    return [...this.running].filter(({ isShown }) => isShown);
  }

  /**
   * Tracks an invocation that is starting, and that `controller` can cancel. The caller must call `end` when it is
   * over.
   */
  start(payload: vscode.Uri, skill: string, controller: AbortController): StartedInvocation {
    const invocation = {
      payload,
      skill,
      startedAt: Date.now(),
      recordId: undefined as string | undefined,
      cancel: () => controller.abort(),
      isShown: false,
    };
    this.running.add(invocation);
    const doubleClick = new Timer();
    doubleClick.after(doubleClickMs, () => {
      invocation.isShown = true;
      this.update();
    });
    return {
      record: ({ id }) => {
        invocation.recordId = id;
      },
      end: () => {
        doubleClick.dispose();
        this.running.delete(invocation);
        if (invocation.isShown) this.update();
      },
    };
  }

  /** Finds the invocation that is shown as running, by its payload or by its record's ID. */
  find(what: vscode.Uri | string): RunningInvocation | undefined {
    const name = what.toString();
    return this.shown.find(
      ({ payload, recordId }) => recordId === name || payload.toString() === name,
    );
  }

  /**
   * Shows which invocation is running and since when. Offers no button to cancel, since the message may outlast the
   * invocation; ■ cancels it.
   */
  show({ skill, startedAt }: RunningInvocation): void {
    const since = timeFormats(hostLanguage()).timeOfDay(startedAt);
    const text = vscode.l10n.t(
      "{0} has been running since {1}. It was not invoked again.",
      skill,
      since,
    );
    void inform(text);
  }

  /**
   * Cancels the invocation of the given payload or row, else of the visible payload, else one that the user chooses.
   */
  async cancel(argument: unknown): Promise<void> {
    const invocation = this.named(argument) ?? (await chooseRunning(this.shown));
    invocation?.cancel();
  }

  private named(argument: unknown): RunningInvocation | undefined {
    if (argument instanceof vscode.Uri) return this.find(argument);
    const { id } = (argument ?? {}) as { readonly id?: unknown };
    if (typeof id === "string") return this.find(id);
    const document = documentOnScreen();
    return document && this.find(document.uri);
  }

  private update(): void {
    this.changed.fire();
  }
}

/** Formats a URI as the editor's context key `resourcePath` does. */
export function resourcePath(uri: vscode.Uri): string {
  return uri.scheme === "file" ? uri.fsPath : uri.path;
}

function chooseRunning(
  running: readonly RunningInvocation[],
): Promise<RunningInvocation | undefined> {
  const { timeOfDay } = timeFormats(hostLanguage());
  return choose(
    running.map((invocation) => ({
      label: invocation.skill,
      description: vscode.l10n.t("since {0}", timeOfDay(invocation.startedAt)),
      value: invocation,
    })),
    {
      title: vscode.l10n.t("Cancel Invocation"),
      none: vscode.l10n.t("No skill is being invoked in this window."),
      takesOnly: true,
      closesOnBlur: true,
    },
  );
}
