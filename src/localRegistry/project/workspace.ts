import { randomUUID } from "node:crypto";
import { catalog, type Skill } from "../catalog/catalog";
import { Accounts, type DeliverCode } from "./accounts";
import {
  defaultPolicy,
  digestOf,
  type Install,
  type Policy,
  Project,
  type StoredKey,
  type Update,
} from "./project";
import { Publishing } from "./publishing";

/** Everything that the registry keeps in memory: the projects of its only organization. */
export class Workspace {
  readonly projects = new Map<string, Project>();
  readonly log = new InvocationLog();
  readonly accounts: Accounts;
  readonly publishing: Publishing;

  /** `now` is the time in milliseconds since 1970; `projectKey` is the first key of the demo project. */
  constructor(
    readonly now: () => number,
    projectKey?: string,
    deliver?: DeliverCode,
  ) {
    this.accounts = new Accounts(now, deliver);
    this.publishing = new Publishing(now);
    const demo = createDemoProject(now());
    this.projects.set(demo.slug, demo);
    this.projectKey = demo.addKey("Built-in key", now(), projectKey).key;
  }

  /** The key that the registry prints and that the extension receives. */
  readonly projectKey: string;

  /** Finds the project of a Project Key; undefined if the key is unknown or revoked. */
  findKey(token: string): { readonly project: Project; readonly key: StoredKey } | undefined {
    const digest = digestOf(token);
    for (const project of this.projects.values()) {
      const key = project.keys.find((item) => item.digest === digest && item.revokedAt === null);
      if (key !== undefined) return { project, key };
    }
    return undefined;
  }

  /**
   * Returns a slug's project for a change. Like the gateway, creates a missing project, and resets the name of an
   * existing one to that of its slug.
   */
  openProject(slug: string): Project {
    const name = titleOf(slug);
    const existing = this.projects.get(slug);
    if (existing !== undefined) existing.name = name;
    return existing ?? this.addProject(slug, name);
  }

  /** Creates a project without keys and installs. */
  addProject(slug: string, name: string): Project {
    const project = new Project(slug, name, new Date(this.now()).toISOString());
    this.projects.set(slug, project);
    return project;
  }
}

function titleOf(slug: string): string {
  const words = slug.split("-").filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
}

/** Deviations of the demo project from the default policies. Each one causes one refusal. */
const policies: Readonly<Record<string, Partial<Policy>>> = {
  "burst-limited": { rateLimitPerMinute: 3 },
  "redact-pii": { monthlyBudgetCents: 1000 },
  "vault-rotate": { maxPermissionLevel: "medium", approvalRequired: false },
  "draft-writer": { approvalRequired: false },
};

/** Skills that are installed in an older version, so that an update is pending. */
const pinned: Readonly<Record<string, string>> = { "redact-pii": "1.1.0" };

/** Skills with high permissions that still need an owner's approval. */
const unapproved = ["status-notice"];

/** Creates the project that every registry starts with: all skills are installed. `now` is in milliseconds. */
function createDemoProject(now: number): Project {
  const startedAt = new Date(now).toISOString();
  const project = new Project("local-demo", "Local Demo", startedAt);
  for (const skill of catalog) {
    const install = demoInstall(skill, startedAt);
    const generous = install.approvalState === "approved" ? { rateLimitPerMinute: 600 } : {};
    const policy = {
      ...defaultPolicy(install.manifest, startedAt),
      ...generous,
      ...policies[skill.slug],
    };
    project.installs.set(skill.slug, install);
    project.policies.set(skill.slug, policy);
    project.updates.push(...updatesOf(skill));
  }
  project.updates.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  return project;
}

/** Versions in review: no project can adopt them. */
const drafts: Readonly<Record<string, string>> = { "redact-pii": "2.1.0" };

/** Events of a skill besides its releases. */
const events: Readonly<Record<string, Pick<Update, "eventType" | "severity" | "title" | "body">>> =
  {
    "flaky-fetch": {
      eventType: "deprecated",
      severity: "medium",
      title: "Flaky fetch is deprecated",
      body: "It is no longer looked after.",
    },
    "slow-report": {
      eventType: "incident",
      severity: "high",
      title: "Slow report takes longer than usual",
      body: "Reports take up to a minute. Raise the time limit of your callers until this is solved.",
    },
  };

/**
 * Returns the inbox rows of a skill. Like the gateway, writes two rows for every version that ever existed, including
 * installed, older and unreviewed ones.
 */
function updatesOf(skill: Skill): Update[] {
  const [{ manifest, publishedAt }] = skill.releases;
  const { displayName } = manifest;
  const update = (
    more: Pick<Update, "eventType" | "severity" | "title" | "body" | "targetVersion" | "createdAt">,
  ): Update => ({
    id: randomUUID(),
    skill,
    ...more,
    actionStatus: "open",
    actionNote: null,
    scheduledFor: null,
    resolvedAt: null,
    actionUpdatedAt: null,
  });
  const release = (version: string, what: string, body: string, createdAt: string) =>
    update({
      eventType: "new_version",
      severity: "info",
      title: `${displayName} ${version} was ${what}`,
      body,
      targetVersion: version,
      createdAt,
    });
  const draft = drafts[skill.slug];
  const event = events[skill.slug];
  return [
    ...(event ? [update({ ...event, targetVersion: null, createdAt: publishedAt })] : []),
    ...(draft ? [release(draft, "created", "Waits for its review.", publishedAt)] : []),
    ...skill.releases.flatMap(({ manifest: { version }, publishedAt: at, changes }) =>
      ["approved", "created"].map((what) => release(version, what, changes, at)),
    ),
  ];
}

function demoInstall(skill: Skill, installedAt: string): Install {
  const release =
    skill.releases.find(({ manifest }) => manifest.version === pinned[skill.slug]) ??
    skill.releases[0];
  return {
    skill,
    manifest: release.manifest,
    status: "installed",
    approvalState: unapproved.includes(skill.slug) ? "owner_required" : "approved",
    installedAt,
    updatedAt: installedAt,
  };
}

/** An invocation as the registry received it. */
export interface SeenInvocation {
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The request's body as received. */
  readonly bodyText: string;
  readonly outcome: "running" | "success" | "error" | "blocked" | "refused" | "cancelled";
  /** Missing while the skill runs, or if the caller disconnected. */
  readonly httpStatus?: number;
  readonly code?: string;
  readonly invocationId?: string;
  /** Missing if the key is unknown. */
  readonly projectSlug?: string;
  /** Missing if the skill is not installed. */
  readonly skillSlug?: string;
  readonly version?: string;
  readonly latencyMs?: number;
}

/** More than a test or a user needs. Entries are stored until the process ends. */
const maxEntries = 500;
/** Each body may be megabytes long. */
const maxCharacters = 16 * 1024 * 1024;

/** Keeps the newest invocations: at most 500, with at most 16 Mi characters of bodies. */
export class InvocationLog {
  readonly #entries = new Map<symbol, SeenInvocation>();
  #characters = 0;
  #count = 0;

  /** Returns the invocations, oldest first. */
  entries(): readonly SeenInvocation[] {
    return [...this.#entries.values()];
  }

  /** The number of invocations since the start, including dropped ones. */
  get count(): number {
    return this.#count;
  }

  /** Adds an invocation and returns a function that records its outcome. */
  add(entry: SeenInvocation): (outcome: Partial<SeenInvocation>) => void {
    const id = Symbol();
    this.#entries.set(id, entry);
    this.#characters += entry.bodyText.length;
    this.#count += 1;
    for (const [oldest, { bodyText }] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#characters <= maxCharacters) break;
      this.#entries.delete(oldest);
      this.#characters -= bodyText.length;
    }
    return (outcome) => {
      const before = this.#entries.get(id);
      if (before !== undefined) this.#entries.set(id, { ...before, ...outcome });
    };
  }
}
