import { Worker } from "node:worker_threads";
import * as vscode from "vscode";
import { embeddedPorts } from "../ids";

/** The roles of the embedded registry's accounts, and the user token of each. */
export type LocalAccounts = Readonly<Record<"owner" | "developer" | "finance", string>>;

/** A running embedded registry: where it listens, and the Project Key and user tokens it made for this window. */
interface EmbeddedRegistryAddress {
  readonly baseUrl: string;
  readonly projectKey: string;
  readonly userTokens: LocalAccounts;
}

/**
 * Runs the embedded registry in a thread of its own, from the first request for its address until
 * it is disposed, so that skills computing there never hold up the editor.
 */
export class EmbeddedRegistry {
  private starting: Promise<EmbeddedRegistryAddress> | undefined;
  private worker: Worker | undefined;
  private readonly ended = new vscode.EventEmitter<void>();

  /** Fires when a registry that was running ends by itself; the next use starts another. */
  readonly onDidEnd = this.ended.event;

  /** `workerPath` is the bundled thread. */
  constructor(private readonly workerPath: string) {}

  /** Starts the registry where it is not running. Rejects where the thread cannot listen. */
  address(): Promise<EmbeddedRegistryAddress> {
    this.starting ??= this.start();
    return this.starting;
  }

  /** Stops the registry; its invocations end with it. */
  dispose(): void {
    const worker = this.worker;
    this.forget();
    void worker?.terminate();
    this.ended.dispose();
  }

  private start(): Promise<EmbeddedRegistryAddress> {
    const worker = new Worker(this.workerPath, {
      env: {},
      name: "skill-registry",
      workerData: { portRange: embeddedPorts },
    });
    this.worker = worker;
    return new Promise((resolve, reject) => {
      let listening = false;
      const end = (detail: string) => {
        reject(new Error(detail));
        if (this.worker !== worker) return;
        this.forget();
        if (listening) this.ended.fire();
      };
      worker.once("message", (message: Partial<EmbeddedRegistryAddress & { error: string }>) => {
        const { baseUrl, projectKey, userTokens, error } = message;
        listening = baseUrl !== undefined && projectKey !== undefined && userTokens !== undefined;
        if (listening) resolve({ baseUrl, projectKey, userTokens } as EmbeddedRegistryAddress);
        else end(error ?? "It gave no address.");
      });
      worker.once("error", (error) => end(error.message));
      worker.once("exit", (code) => end(`It ended with code ${code}.`));
    });
  }

  private forget(): void {
    this.worker = undefined;
    this.starting = undefined;
  }
}

/** Names the built-in registry on screen. */
export function builtInRegistryTitle(): string {
  return vscode.l10n.t("Built-in registry");
}
