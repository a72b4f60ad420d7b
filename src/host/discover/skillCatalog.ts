import * as vscode from "vscode";
import { type RegistryFailure, registryFailureText } from "../../core/registry/registryFailure";
import {
  afterFailure,
  type CatalogState,
  type LoadedCatalog,
} from "../../core/skillList/catalogState";
import {
  LastLists,
  loadMoreCount,
  loadPages,
  type SkillList,
  startList,
} from "../../core/skillList/skillList";
import type { SkillListing } from "../../core/skillList/skillListing";
import { type SkillArrangement, wireSort } from "../../core/skillList/skillOrder";
import type { SkillQuery } from "../../core/skillList/skillQuery";
import { english, localize } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import type { RegistryConnection } from "../connect/registryConnection";
import { viewIds } from "../ids";
import type { OutputChannels } from "../ui/outputChannels";
import { Owner } from "../ui/owner";
import { showBusy } from "../ui/progress";
import { LatestRequest, newest } from "../ui/wait";
import type { ListMemory } from "./listMemory";

/** The minimum number of rows to load if a registry returns short pages, or filters are applied locally. */
const firstRows = 20;

/**
 * Loads the registry's list for the current query, page by page. A newer request drops an older one. A failing refresh
 * keeps the last list and marks it as stale.
 */
export class SkillCatalog extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<CatalogState>());
  private readonly loader: ListLoader;
  private readonly requests = this.own(new LatestRequest());
  private loadingMore: Promise<void> | undefined;
  private current: CatalogState = { kind: "loading" };
  private listing: SkillListing;
  private settled: Promise<void> | undefined;

  /** Fires with each new state. */
  readonly onDidChange = this.changed.event;

  constructor(
    connection: RegistryConnection,
    private readonly memory: ListMemory,
    channels: OutputChannels,
  ) {
    super();
    this.loader = new ListLoader(connection, channels);
    this.listing = memory.listing.get();
    this.own(
      connection.onDidChange(() => {
        // A list that was never shown is loaded when it is shown.
        if (this.settled !== undefined) void this.reload();
      }),
    );
  }

  get state(): CatalogState {
    return this.current;
  }

  get query(): SkillQuery {
    return this.listing.query;
  }

  get arrangement(): SkillArrangement {
    return this.listing.arrangement;
  }

  /** Resolves when there is a state to show. Starts loading if nothing was loaded yet. */
  async ready(): Promise<void> {
    this.settled ??= this.refresh();
    await newest(() => (this.current.kind === "loading" ? this.settled : undefined));
  }

  /** Shows the results of another query. Resolves when they are loaded. */
  setQuery(query: SkillQuery): Promise<void> {
    return this.setListing({ query, arrangement: this.arrangement });
  }

  /** Changes the layout of the list. Queries the registry again if the registry itself must sort differently. */
  async setArrangement(arrangement: SkillArrangement): Promise<void> {
    const isSameOrder = wireSort(arrangement.order) === wireSort(this.arrangement.order);
    if (!isSameOrder) return this.setListing({ query: this.query, arrangement });
    this.listing = { query: this.query, arrangement };
    this.changed.fire(this.current);
    await this.memory.listing.set(this.listing);
  }

  /** Shows the results of another query in another arrangement. Resolves when they are loaded. */
  async setListing(listing: SkillListing): Promise<void> {
    this.listing = listing;
    await Promise.all([this.memory.listing.set(listing), this.reload()]);
  }

  /** Loads the first page again. Resolves when the new state is set. */
  refresh(): Promise<void> {
    this.loadingMore = undefined;
    this.settled = this.load(this.requests.begin());
    showBusy(viewIds.skills, this.settled);
    return this.settled;
  }

  /** Doubles the loaded skills if there are more. Simultaneous calls are merged. */
  loadMore(): Promise<void> {
    return this.loadUpTo(loadMoreCount);
  }

  /** Reloads without keeping the previous list, which belongs to another query. */
  private reload(): Promise<void> {
    this.current = { kind: "loading" };
    const loaded = this.refresh();
    this.changed.fire(this.current);
    return loaded;
  }

  private async load(signal: AbortSignal): Promise<void> {
    const state = await this.loader.loadFirst(this.wireQuery(), this.current, signal);
    if (signal.aborted) return;
    this.show(state);
    void this.loadUpTo(({ skills }) => firstRows - skills.length);
  }

  private loadUpTo(wanted: (list: SkillList) => number): Promise<void> {
    if (this.loadingMore !== undefined) return this.loadingMore;
    const loading = this.loadFurther(wanted, this.requests.signal).finally(() => {
      if (this.loadingMore === loading) this.loadingMore = undefined;
    });
    this.loadingMore = loading;
    showBusy(viewIds.skills, loading);
    return loading;
  }

  private async loadFurther(
    wanted: (list: SkillList) => number,
    signal: AbortSignal,
  ): Promise<void> {
    const { current } = this;
    if (current.kind !== "list" || current.list.nextCursor === undefined) return;
    const count = wanted(current.list);
    if (count <= 0) return;
    const state = await this.loader.loadMore(this.wireQuery(), current, count, signal);
    if (!signal.aborted) this.show(state);
  }

  private wireQuery(): SkillQuery {
    const sort = wireSort(this.arrangement.order);
    return sort === undefined ? this.query : { ...this.query, sort };
  }

  private show(state: CatalogState): void {
    this.current = state;
    this.changed.fire(state);
  }
}

/** Loads the list of the registry in use. After a failure, the last list for the same query stays. */
class ListLoader {
  private readonly last = new LastLists();

  constructor(
    private readonly connection: RegistryConnection,
    private readonly channels: OutputChannels,
  ) {}

  /** Loads the first page. `current` is the list shown for the same query. */
  async loadFirst(
    query: SkillQuery,
    current: CatalogState,
    signal: AbortSignal,
  ): Promise<CatalogState> {
    const connection = await this.connection.current();
    if (!connection.ok) {
      this.channels.noteFailure(localize(connection.problem, english));
      const { isBuiltIn } = this.connection;
      return { kind: "notConnected", problem: connection.problem, isBuiltIn };
    }
    const { client, isBuiltIn, baseUrl, name: registryName } = connection.registry;
    // The built-in registry has another port in each window.
    const registry = isBuiltIn ? "" : baseUrl;
    const from = { registry, registryName };
    const question = JSON.stringify([registry, query]);
    const page = await client.search(query, undefined, signal);
    if (page.ok) {
      const dated = { list: startList(page.value), loadedAt: Date.now() };
      this.last.keep(question, dated);
      return { kind: "list", ...from, ...dated };
    }
    if (signal.aborted) return current;
    this.note(baseUrl, page.failure);
    const failure = await client.explain(page.failure, signal);
    if (signal.aborted) return current;
    const previous = current.kind === "list" ? current : this.last.find(question);
    return afterFailure(previous, failure, { ...from, isBuiltIn });
  }

  /** Loads `wanted` more skills if the registry is reachable. A failure keeps the list. */
  async loadMore(
    query: SkillQuery,
    loaded: LoadedCatalog,
    wanted: number,
    signal: AbortSignal,
  ): Promise<LoadedCatalog> {
    const connection = await this.connection.current();
    if (!connection.ok) return loaded;
    const { client, baseUrl } = connection.registry;
    const ask = (cursor: string) => client.search(query, cursor, signal);
    const { list, failure } = await loadPages(loaded.list, wanted, ask, signal);
    const { problem, ...rest } = loaded;
    if (failure !== undefined && !signal.aborted) {
      this.note(baseUrl, failure);
      return { ...rest, list, problem: { kind: "interrupted", since: Date.now(), failure } };
    }
    // New pages after a stale first page do not make that page newer.
    return problem?.kind === "stale" ? { ...rest, list, problem } : { ...rest, list };
  }

  private note(baseUrl: string, failure: RegistryFailure): void {
    const request = `GET ${baseUrl}/v1/skills/search`;
    this.channels.noteFailure(
      `${request}: ${oneLine(registryFailureText(failure, english), 1000)}`,
    );
  }
}
