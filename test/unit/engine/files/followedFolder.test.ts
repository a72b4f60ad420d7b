import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { FollowedFolder } from "../../../../src/engine/files/followedFolder";

describe("following a folder", () => {
  let parent: string;
  let path: string;
  let followed: FollowedFolder | undefined;
  let told: (name: string | undefined) => void = () => undefined;
  const next = (wanted?: string) =>
    new Promise<void>((resolve) => {
      told = (name) => {
        if (wanted === undefined || name === wanted) resolve();
      };
    });

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "followed-"));
    path = join(parent, "calls");
  });
  afterEach(async () => {
    followed?.dispose();
    await rm(parent, { recursive: true, force: true });
  });

  it("tells of files, once the folder is there", async () => {
    followed = new FollowedFolder(path, (name) => told(name));
    followed.follow();
    await mkdir(path);
    followed.follow();
    const change = next("a.jsonl");
    await writeFile(join(path, "a.jsonl"), "");
    await change;
  });

  it("begins once another window has made the folder, and tells that there may be something", async () => {
    path = join(path, "below", "it");
    let starts = 0;
    const start = (...given: Parameters<typeof watch>) => {
      starts += 1;
      return watch(...given);
    };
    followed = new FollowedFolder(path, (name) => told(name), start as typeof watch, 1);
    followed.follow();
    // What is next to the way there is nothing to look for.
    await writeFile(join(parent, "other"), "");
    followed.follow();
    assert.equal(starts, 1);
    const made = next();
    await mkdir(path, { recursive: true });
    await made;
    const change = next("a.jsonl");
    await writeFile(join(path, "a.jsonl"), "");
    await change;
  });

  it("goes on where the folder was replaced", async () => {
    await mkdir(path);
    followed = new FollowedFolder(path, (name) => told(name), watch, 10);
    followed.follow();
    const gone = next();
    await rm(path, { recursive: true });
    await gone;
    const again = next();
    await mkdir(path);
    await again;
    const change = next("b.jsonl");
    await writeFile(join(path, "b.jsonl"), "");
    await change;
  });

  it("goes on where the watcher failed, and tells that something may have changed meanwhile", async () => {
    const watchers: EventEmitter[] = [];
    const start = () => {
      const watcher = Object.assign(new EventEmitter(), { close: () => undefined });
      watchers.push(watcher);
      return watcher as unknown as FSWatcher;
    };
    followed = new FollowedFolder(path, (name) => told(name), start as typeof watch, 1);
    followed.follow();
    followed.follow();
    assert.equal(watchers.length, 1);
    const again = next();
    watchers[0]?.emit("error", new Error("ENOSPC"));
    await again;
    assert.equal(watchers.length, 2);
  });
});
