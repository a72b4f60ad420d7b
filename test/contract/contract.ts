import { strict as assert } from "node:assert";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, it } from "mocha";
import type * as vscode from "vscode";
import { documentClaims } from "./documents";
import { otherClaims } from "./others";
import { questionClaims } from "./questions";
import { tabClaims } from "./tabs";

/** The module `vscode`, of an editor in memory or of a window. */
export type Api = typeof vscode;

/** A claim of the editor in memory about every editor: a short script over the API, and its result. */
export interface Claim {
  readonly claim: string;
  /** Resolves to plain data. */
  readonly run: (api: Api, place: Place) => unknown;
  readonly expected: unknown;
}

/** The tools of a script. */
export interface Place {
  /** Writes a file into the script's own folder. Resolves to its URI. */
  readonly file: (name: string, text?: string) => Promise<vscode.Uri>;
  /** Records events until the script has ended, each as the text that `note` makes of it. */
  readonly hear: <T>(event: vscode.Event<T>, note: (value: T) => string | undefined) => void;
  /** The recorded events, in order. */
  readonly heard: string[];
  /** Waits until an event was recorded. */
  readonly hears: (text: string) => Promise<void>;
}

/** Defines the tests of what the editor in memory claims, for the editor that `api` gives. */
export function contractTests(api: () => Api): void {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    await api().commands.executeCommand("workbench.action.closeQuickOpen");
    await api().commands.executeCommand("workbench.action.closeAllEditors");
    for (const end of ends.splice(0)) await end();
  });
  const claims = { documentClaims, tabClaims, questionClaims, otherClaims };
  for (const [name, list] of Object.entries(claims)) {
    describe(name.replace("Claims", "s"), () => {
      for (const { claim, run, expected } of list) {
        it(claim, async function () {
          // A script's event comes at once, or never.
          this.timeout(30_000);
          const place = await makePlace(api(), ends);
          assert.deepEqual(await run(api(), place), expected);
        });
      }
    });
  }
}

async function makePlace(api: Api, ends: (() => unknown)[]): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "contract-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  return {
    file: async (name, text = "") => {
      await mkdir(join(folder, dirname(name)), { recursive: true });
      await writeFile(join(folder, name), text);
      return api.Uri.file(join(folder, name));
    },
    hear: (event, note) => {
      const subscription = event((value) => {
        const text = note(value);
        if (text === undefined) return;
        heard.push(text);
        for (const look of waiting) look();
      });
      ends.push(() => subscription.dispose());
    },
    heard,
    hears: (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (!heard.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
