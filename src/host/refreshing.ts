import type * as vscode from "vscode";
import type { InvocationHistory } from "../engine/record/invocationHistory";
import type { AllowedSkills } from "./agents/allowedSkills";
import type { PayloadChecks } from "./author/payloadChecks";
import type { PolicyCache } from "./connect/policyCache";
import type { RegistryConnection } from "./connect/registryConnection";
import { refreshList } from "./discover/discoverCommands";
import type { RowDetails } from "./discover/rowDetails";
import type { SkillCatalog } from "./discover/skillCatalog";
import type { ComparisonPages } from "./inspect/comparisonPages";
import type { SkillDetails } from "./inspect/skillDetails";
import type { SkillPages } from "./inspect/skillPages";
import type { ProjectKeys } from "./keys/projectKeys";
import type { WorkspaceReviews } from "./review/workspaceReviews";
import type { SkillFiles } from "./skillFiles";
import type { Register } from "./ui/owner";
import type { CurrentProject } from "./workspace/currentProject";

/** The parts that read from the registry or the workspace, and those that show it. */
interface RefreshedParts {
  readonly connection: RegistryConnection;
  readonly details: SkillDetails;
  readonly rowDetails: RowDetails;
  readonly catalog: SkillCatalog;
  readonly reviews: WorkspaceReviews;
  readonly files: SkillFiles;
  readonly project: CurrentProject;
  readonly keys: ProjectKeys;
  readonly policies: PolicyCache;
  readonly history: InvocationHistory;
  readonly allowed: AllowedSkills;
  readonly pages: SkillPages;
  readonly comparisons: ComparisonPages;
  readonly checks: PayloadChecks;
  readonly author: { readonly checkAgain: (slug: string) => void };
  /** Fires when the expected response to an invocation may have changed. */
  readonly callability: vscode.EventEmitter<void>;
  readonly register: Register;
}

/** The ways to reread data and to redraw what shows it. */
interface Refreshing {
  /** The command *Refresh*: rereads everything. */
  readonly all: () => Promise<unknown>;
  /** Rereads one skill and the list, after its publisher changed it. */
  readonly skill: (slug: string) => Promise<void>;
}

/**
 * Updates all views when new data is known. Returns functions that reread everything, or one skill. *Refresh* first
 * clears the caches of the registry (publishers, skills, rows) and of the workspace (files, reviews), then redraws the
 * views, then checks payloads, which may take seconds, and last sends separate requests (the project, the list). After
 * a switch of the registry, the new connection itself empties the list and the details, and rereads the project.
 */
export function startRefreshing(parts: RefreshedParts): Refreshing {
  const { connection, details, reviews, project, pages, comparisons, register } = parts;
  const startOver = () => {
    reviews.forget();
    pages.refresh();
    comparisons.refresh();
    parts.checks.checkAll();
  };
  register(connection.onDidChange(startOver));
  const startOverWith = (slug: string) => {
    pages.refresh(slug);
    comparisons.refresh(slug);
    parts.author.checkAgain(slug);
  };
  register(details.onDidChange(startOverWith));
  const { keys, policies, history, allowed, callability } = parts;
  for (const { onDidChange } of [keys, policies, history, project, reviews, allowed]) {
    register(onDidChange(() => callability.fire()));
  }
  register(callability.event(() => pages.refreshCallability()));
  const all = async () => {
    const current = await connection.current();
    if (!current.ok) return connection.reset();
    current.registry.client.forgetPublishers();
    details.forgetAll();
    parts.rowDetails.forget();
    parts.files.reread();
    startOver();
    return Promise.all([project.refresh(), refreshList(parts.catalog)]);
  };
  const skill = (slug: string) => {
    details.forget(slug);
    parts.rowDetails.forget();
    startOverWith(slug);
    return parts.catalog.refresh();
  };
  return { all, skill };
}
