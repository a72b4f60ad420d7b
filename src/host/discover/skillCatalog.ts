import * as vscode from "vscode";
import { failureWords } from "../../core/failureWords";
import type { RegistryFailure, Result } from "../../core/registryFailure";
import { extendList, type SkillList, startList } from "../../core/skillList";
import type { SkillPage, SkillQuery } from "../../core/skillQuery";
import type { RegistryConnection } from "../connect/registryConnection";
import type { OutputChannels } from "../words/outputChannels";

/** What the Skills view knows. */
export type CatalogState =
  | { readonly kind: "loading" }
  | { readonly kind: "notConnected"; readonly problem: string }
  | { readonly kind: "unreachable"; readonly failure: RegistryFailure }
  | { readonly kind: "list"; readonly list: SkillList; readonly stale?: StaleList };

/** Why a list is not the newest, and since when (milliseconds since 1970). */
export interface StaleList {
  readonly since: number;
  readonly failure: RegistryFailure;
}

/**
 * Loads the registry's list for the current query, page by page. A newer request drops an older
 * one; a failing refresh keeps the last list and says since when it is stale.
 */
export class SkillCatalog {
  private readonly changed = new vscode.EventEmitter<CatalogState>();
  private readonly subscription: vscode.Disposable;
  private loading = new AbortController();
  private loadedAt = 0;
  private loadingMore: Promise<void> | undefined;
  private current: CatalogState = { kind: "loading" };

  /** Fires with each new state. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly connection: RegistryConnection,
    private currentQuery: SkillQuery,
    private readonly channels: OutputChannels,
  ) {
    this.subscription = connection.onDidChange(() => {
      this.current = { kind: "loading" };
      void this.refresh();
    });
  }

  get state(): CatalogState {
    return this.current;
  }

  get query(): SkillQuery {
    return this.currentQuery;
  }

  /** Shows what another query finds. Resolves when it is loaded. */
  setQuery(query: SkillQuery): Promise<void> {
    this.currentQuery = query;
    this.current = { kind: "loading" };
    this.changed.fire(this.current);
    return this.refresh();
  }

  /** Loads the first page anew. Resolves when the new state stands. */
  async refresh(): Promise<void> {
    this.loading.abort();
    const loading = new AbortController();
    this.loading = loading;
    this.loadingMore = undefined;
    const state = await this.loadFirstPage(loading.signal);
    if (loading.signal.aborted) return;
    this.show(state);
  }

  /** Loads the next page where there is one. Several calls at once load one page. */
  loadMore(): Promise<void> {
    this.loadingMore ??= this.loadNextPage(this.loading.signal);
    return this.loadingMore;
  }

  dispose(): void {
    this.loading.abort();
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async loadFirstPage(signal: AbortSignal): Promise<CatalogState> {
    const connection = await this.connection.current();
    if (!connection.ok) {
      this.channels.note(connection.problem);
      return { kind: "notConnected", problem: connection.problem };
    }
    const page = await connection.registry.client.search(this.currentQuery, undefined, signal);
    if (page.ok) {
      this.loadedAt = Date.now();
      return { kind: "list", list: startList(page.value) };
    }
    return this.failed(page.failure);
  }

  private async loadNextPage(signal: AbortSignal): Promise<void> {
    const page = await this.fetchNextPage(signal);
    this.loadingMore = undefined;
    if (page === undefined || signal.aborted || this.current.kind !== "list") return;
    this.show(
      page.ok
        ? { kind: "list", list: extendList(this.current.list, page.value) }
        : this.failed(page.failure),
    );
  }

  private async fetchNextPage(signal: AbortSignal): Promise<Result<SkillPage> | undefined> {
    const cursor = this.current.kind === "list" ? this.current.list.nextCursor : undefined;
    const connection = await this.connection.current();
    if (cursor === undefined || !connection.ok) return undefined;
    return connection.registry.client.search(this.currentQuery, cursor, signal);
  }

  private failed(failure: RegistryFailure): CatalogState {
    this.channels.note(`The list of skills could not be loaded. ${failureWords(failure)}`);
    if (this.current.kind !== "list") return { kind: "unreachable", failure };
    const since = this.current.stale?.since ?? this.loadedAt;
    return { kind: "list", list: this.current.list, stale: { since, failure } };
  }

  private show(state: CatalogState): void {
    this.current = state;
    this.changed.fire(state);
  }
}
