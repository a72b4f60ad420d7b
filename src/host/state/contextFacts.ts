import * as vscode from "vscode";
import { isFiltering } from "../../core/invocation/record/invocationList";
import { listContext } from "../../core/skillList/catalogState";
import { isRestricted } from "../../core/skillList/listLabels";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import type { InvocationsView } from "../audit/invocationsView";
import type { PayloadBindings } from "../author/payloadBindings";
import { documentOnScreen } from "../author/payloadDocument";
import type { SkillCatalog } from "../discover/skillCatalog";
import type { TestRunOffer } from "../invoke/invocationTarget";
import { type RunningInvocations, resourcePath } from "../invoke/runningInvocations";
import type { WorkspaceReviews } from "../review/workspaceReviews";
import type { CurrentProject } from "../workspace/currentProject";
import type { ContextFact, ContextKey } from "./contextKeys";

/** The parts of the extension that know the facts. */
export interface FactSources {
  readonly catalog: Pick<SkillCatalog, "state" | "query" | "onDidChange">;
  readonly reviews: Pick<WorkspaceReviews, "isReviewing" | "onDidChange">;
  readonly history: Pick<InvocationHistory, "list" | "onDidChange">;
  readonly invocationsView: Pick<InvocationsView, "filter" | "onDidFilter">;
  readonly project: Pick<CurrentProject, "state" | "accounts" | "remembered" | "onDidChange">;
  readonly testRuns: Pick<TestRunOffer, "isOffered" | "onDidChange">;
  readonly bindings: Pick<PayloadBindings, "find" | "onDidChange">;
  readonly running: Pick<RunningInvocations, "shown" | "onDidChange">;
}

/** Creates the table of facts: one row for each context key. */
export function contextFacts(sources: FactSources): Readonly<Record<ContextKey, ContextFact>> {
  const { catalog, reviews, history, invocationsView, project, testRuns, bindings, running } =
    sources;
  const isPayload = ({ uri }: vscode.TextDocument) => bindings.find(uri) !== undefined;
  return {
    list: { on: [catalog.onDidChange], read: () => listContext(catalog.state) },
    filtered: { on: [catalog.onDidChange], read: () => isRestricted(catalog.query) },
    reviews: { on: [reviews.onDidChange], read: () => reviews.isReviewing() },
    recorded: {
      on: [history.onDidChange],
      read: async () => (await history.list({ limit: 1 })).length > 0,
    },
    invocationsFiltered: {
      on: [invocationsView.onDidFilter],
      read: () => isFiltering(invocationsView.filter),
    },
    project: {
      on: [project.onDidChange],
      read: () => {
        const { state } = project;
        return state.kind === "signedOut" && state.hasEnded ? "ended" : state.kind;
      },
    },
    signedIn: {
      on: [project.onDidChange],
      read: async () => (await project.accounts.inUse()) !== undefined,
    },
    hasProject: {
      on: [project.onDidChange],
      read: async () => (await project.remembered()) !== undefined,
    },
    canTestRun: { on: [testRuns.onDidChange], read: () => testRuns.isOffered },
    payloadBound: {
      on: [
        bindings.onDidChange,
        vscode.window.onDidChangeActiveTextEditor,
        vscode.window.tabGroups.onDidChangeTabs,
      ],
      read: () => {
        const document = documentOnScreen();
        return document !== undefined && isPayload(document);
      },
    },
    payloads: {
      on: [
        bindings.onDidChange,
        vscode.workspace.onDidOpenTextDocument,
        vscode.workspace.onDidCloseTextDocument,
      ],
      read: () =>
        vscode.workspace.textDocuments.filter(isPayload).map(({ uri }) => resourcePath(uri)),
    },
    runningPayloads: {
      on: [running.onDidChange],
      read: () => running.shown.map(({ payload }) => resourcePath(payload)),
    },
    running: { on: [running.onDidChange], read: () => running.shown.length > 0 },
  };
}
