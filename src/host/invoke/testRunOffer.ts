import * as vscode from "vscode";
import type { InvocationOutcome } from "../../core/invocation/invocation";
import type { TestRunTarget } from "../../registry/registryClient";
import { contextKeys } from "../ids";

/** Where a test run takes place, and who is told what became of it. */
export interface TestRunPlace extends TestRunTarget {
  /** Names account and project, for what a registry counts by. */
  readonly name: string;
  /** Tells whether a Project Key is one of the project's, as far as that is known. */
  readonly hasKey: (key: string) => boolean;
  readonly noteOutcome: (outcome: InvocationOutcome) => unknown;
}

/** Knows whether test runs are offered beside invocations: somebody is signed in and works with a project. */
export class TestRunOffer {
  private readonly changed = new vscode.EventEmitter<void>();
  private offered = false;

  readonly onDidChange = this.changed.event;

  get isOffered(): boolean {
    return this.offered;
  }

  set isOffered(isOffered: boolean) {
    if (this.offered === isOffered) return;
    this.offered = isOffered;
    void vscode.commands.executeCommand("setContext", contextKeys.canTestRun, isOffered);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}
