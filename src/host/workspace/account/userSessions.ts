import type * as vscode from "vscode";
import {
  accountKey,
  accountLabel,
  liveSessions,
  readSessions,
  sessionId,
  type UserSession,
  withSession,
} from "../../../core/account/sessions";
import type { KeyRedactor } from "../../../core/registry/redactSecrets";
import { ChangeEvent } from "../../../engine/changeEvent";
import { learnInTime, SecretStorageWait, storageTimeouts } from "../../connect/secretStorageWait";
import { Owner } from "../../ui/owner";

/** The name of the one secret that holds all sessions. */
const secretName = "userSessions";
/** The maximum number of accounts. One secret holds all of them, and each window reads it when it opens. */
const maxSessions = 50;

/**
 * Stores the signed-in sessions: in the editor's secret storage, or in memory if that fails. Sessions of the built-in
 * registry are always in memory, since that registry ends with the window. Windows learn of each other's changes
 * through the storage's own event. Loaded at activation, since the editor requests sessions then.
 */
export class UserSessions extends Owner {
  private readonly changed = this.own(
    new ChangeEvent<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>(),
  );
  /** Sessions of this window alone. */
  private readonly ofWindow = new Map<string, UserSession>();
  /** The sessions that the editor last received; undefined before its first request. */
  private reported: readonly UserSession[] | undefined;
  /**
   * The sessions that were last read from the storage. They are used if the storage does not respond, so that nobody is
   * signed out.
   */
  private stored: readonly UserSession[] = [];
  /** Serializes reads and writes, so that changes of this window stay in order. */
  private queue: Promise<unknown> = Promise.resolve();

  /** Fires when a user signed in or out, in any window. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly now: () => number = Date.now,
    private readonly storage = new SecretStorageWait(),
  ) {
    super();
    this.own(
      secrets.onDidChange(({ key }) => {
        if (key === secretName) void this.inTurn(() => this.follow());
      }),
    );
  }

  /** Lists the sessions that have not expired, the newest last. Never rejects. */
  list(): Promise<readonly UserSession[]> {
    return this.inTurn(async () => {
      const sessions = await this.follow();
      return liveSessions(sessions, this.now());
    });
  }

  /** Returns whether there are sessions at a registry and all of them have expired. Never rejects. */
  hasExpired(origin: string): Promise<boolean> {
    return this.inTurn(async () => {
      const here = (await this.follow()).filter((session) => session.origin === origin);
      return here.length > 0 && liveSessions(here, this.now()).length === 0;
    });
  }

  /**
   * Stores a session. Replaces the same account's previous one. Resolves to false if it is stored only until the window
   * closes.
   */
  keep(session: UserSession, isBuiltIn: boolean): Promise<boolean> {
    return this.inTurn(async () => {
      await this.follow();
      const isStored = !isBuiltIn && (await this.store(session));
      if (isStored) this.ofWindow.delete(accountKey(session));
      else this.ofWindow.set(accountKey(session), session);
      await this.follow();
      return isStored;
    });
  }

  /** Removes a session by its id. Resolves to the session; undefined for none. Rejects if the storage fails. */
  forget(id: string): Promise<UserSession | undefined> {
    return this.inTurn(async () => {
      const session = (await this.follow()).find((item) => sessionId(item) === id);
      if (session === undefined) return undefined;
      if (this.ofWindow.get(accountKey(session))?.token === session.token) {
        this.ofWindow.delete(accountKey(session));
      } else await this.write((stored) => stored.filter((item) => sessionId(item) !== id));
      await this.follow();
      return session;
    });
  }

  /** Lists the sessions for the editor's Accounts menu, without their tokens. */
  async asEditorSessions(
    account?: vscode.AuthenticationSessionAccountInformation,
  ): Promise<vscode.AuthenticationSession[]> {
    const sessions = (await this.list()).map(editorSession);
    return sessions.filter((item) => account === undefined || item.account.id === account.id);
  }

  /**
   * Registers the stored tokens with the redactor. Resolves after 2 seconds at most, since a hanging storage must not
   * block a list. Calls `learnedLate` if tokens arrived after that. Never rejects.
   */
  async redactTokens(redactor: KeyRedactor, learnedLate: () => void): Promise<void> {
    const learning = this.list().then(
      (all) => all.filter(({ token }) => redactor.learn(token)).length > 0,
    );
    await learnInTime(learning, storageTimeouts.unexpected, learnedLate);
  }

  /** Reads all sessions, and fires with the changes since the editor last received them. */
  private async follow(): Promise<readonly UserSession[]> {
    const now = await this.all();
    const before = this.reported ?? now;
    this.reported = now;
    const without = (some: readonly UserSession[], others: readonly UserSession[]) =>
      some.filter((item) => !others.some((other) => sessionId(other) === sessionId(item)));
    const added = without(now, before).map(editorSession);
    const removed = without(before, now).map(editorSession);
    if (added.length + removed.length > 0) this.changed.fire({ added, removed, changed: [] });
    return now;
  }

  /** Lists the sessions of this window, and the stored ones of other accounts. */
  private async all(): Promise<readonly UserSession[]> {
    this.stored = await this.read().catch(() => this.stored);
    return [...this.ofWindow.values()].reduce(withSession, this.stored);
  }

  private async store(session: UserSession): Promise<boolean> {
    try {
      await this.write((stored) => withSession(stored, session).slice(-maxSessions));
      return true;
    } catch {
      return false;
    }
  }

  /** Reads the stored sessions and changes them. The cached ones may be outdated, since other windows write too. */
  private async write(
    change: (stored: readonly UserSession[]) => readonly UserSession[],
  ): Promise<void> {
    const sessions = change(await this.read());
    await this.storage.for(() =>
      sessions.length === 0
        ? this.secrets.delete(secretName)
        : this.secrets.store(secretName, JSON.stringify(sessions)),
    );
  }

  private async read(): Promise<readonly UserSession[]> {
    return readSessions((await this.storage.for(() => this.secrets.get(secretName))) ?? "");
  }

  private inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }
}

function editorSession(session: UserSession): vscode.AuthenticationSession {
  const account = { id: accountKey(session), label: accountLabel(session) };
  // Any extension that the user allows gets this session, so it has no token. This extension does not use it.
  return { id: sessionId(session), account, scopes: [], accessToken: "" };
}
