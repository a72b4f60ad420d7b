import type { Account } from "../../core/account/sessions";
import { readUserToken } from "../../core/account/signIn";
import type { NewToken, TokenRow } from "../../core/account/tokens";
import { type JsonObject, type JsonValue, optional } from "../../core/json/jsonValue";
import type { OwnSkill, OwnVersion } from "../../core/manifest/publishing";
import type {
  InstalledSkill,
  PolicyRow,
  ProjectDetail,
  ProjectKeyRow,
  ProjectSummary,
  StoredPolicy,
} from "../../core/project/project";
import type { SkillRating, SkillReport } from "../../core/project/skillFeedback";
import { readProjectKey, type UserToken } from "../../core/registry/credential";
import type { Result } from "../../core/registry/registryFailure";
import { httpsUrl } from "../../core/registry/registryOrigin";
import type { OwnDetail } from "../../core/skill/mergeSkill";
import type { Permissions } from "../../core/skill/permissions";
import { member, objectOf, textOf, unwrapObject } from "../decode/field";
import { unreadable } from "../decode/readErrorBody";
import {
  readInstalledPermissions,
  readInstalledSkill,
  readKeyRow,
  readKeys,
  readNewProject,
  readPinnedSkill,
  readPolicies,
  readProjectDetail,
  readProjects,
} from "./readProject";
import { readOwnSkills, readOwnVersions } from "./readPublishing";
import { decoded, readAccount, readTokenRow, readTokens, type UserRoutes } from "./userRoutes";

/** The maximum number of projects that a registry lists. */
export const maxListedProjects = 100;

/** A newly created Project Key, which the registry returns only once. */
export interface NewProjectKey {
  readonly row: ProjectKeyRow;
  readonly key: string;
}

/** The result of adopting an update, for its install. */
export interface AdoptedUpdate {
  readonly approvalState?: string;
}

/** A decision about an update. `scheduledFor` is an ISO time. */
export interface UpdateAction {
  /** `adopted` pins the version of an update. An event has no version; `adopted` marks it as handled. */
  readonly status: "acknowledged" | "scheduled" | "adopted" | "ignored";
  readonly note?: string;
  readonly scheduledFor?: string;
}

/** The status of an install. The last two require a reason of at least six characters. */
type InstallStatus = "installed" | "suspended" | "removed";

/** The routes for a signed-in user. Every method sends one request and never rejects. */
export class WorkspaceRoutes {
  readonly #routes: UserRoutes;
  readonly #token: UserToken;

  constructor(routes: UserRoutes, token: UserToken) {
    this.#routes = routes;
    this.#token = token;
  }

  /** Reads the token's owner, their role, and until when the token is valid. */
  account(signal: AbortSignal): Promise<Result<Account>> {
    return this.#get("/v1/account", "account", signal, (body) => {
      const account = unwrapObject(body, "account");
      return account && readAccount(account, objectOf(member(account, "session")) ?? {});
    });
  }

  /** Ends another session of the same user. Succeeds if the session has already ended. */
  revokeSession(tokenId: string, signal: AbortSignal): Promise<Result<true>> {
    const route = `/v1/account/sessions/${encodeURIComponent(tokenId)}/revoke`;
    return this.#change("POST", route, {}, "session", signal, () => true);
  }

  /** Lists the user's tokens in the same organization, including revoked and expired ones. */
  tokens(signal: AbortSignal): Promise<Result<readonly TokenRow[]>> {
    return this.#get("/v1/account/sessions", "sessions", signal, readTokens);
  }

  /** Creates a token that never expires and has the user's role. Only an owner or admin may do this. */
  async createToken(
    userId: string,
    tokenName: string,
    signal: AbortSignal,
  ): Promise<Result<NewToken>> {
    const route = `/v1/organization/team/members/${encodeURIComponent(userId)}/tokens`;
    const request = { method: "POST", route, token: this.#token, body: { tokenName } } as const;
    const answer = await this.#routes.send({ ...request, returnsSecret: true }, signal);
    return decoded(answer, route, "accessToken", (body) => this.#newToken(body));
  }

  /** Lists the projects of the organization, newest first, at most `maxListedProjects`. */
  projects(signal: AbortSignal): Promise<Result<readonly ProjectSummary[]>> {
    const route = `/v1/developer/projects?limit=${maxListedProjects}`;
    return this.#get(route, "projects", signal, readProjects);
  }

  createProject(name: string, signal: AbortSignal): Promise<Result<ProjectSummary>> {
    const route = "/v1/developer/projects";
    return this.#change("POST", route, { name }, "project", signal, readNewProject);
  }

  /** Loads everything about a project at once. */
  project(slug: string, signal: AbortSignal): Promise<Result<ProjectDetail>> {
    const route = `/v1/developer/projects/${encodeURIComponent(slug)}`;
    return this.#get(route, "project", signal, readProjectDetail);
  }

  /** Lists all keys of a project, newest first, including revoked ones. */
  keys(project: string, signal: AbortSignal): Promise<Result<readonly ProjectKeyRow[]>> {
    return this.#get(below(project, "api-keys"), "apiKeys", signal, readKeys);
  }

  /** Creates a key. The registry would create a missing project, and may reset the name of an existing one. */
  async createKey(
    project: string,
    name: string,
    signal: AbortSignal,
  ): Promise<Result<NewProjectKey>> {
    const route = below(project, "api-keys");
    const request = { method: "POST", route, token: this.#token, body: { name } } as const;
    const answer = await this.#routes.send({ ...request, returnsSecret: true }, signal);
    return decoded(answer, route, "apiKey", (body) => this.#newKey(body));
  }

  /** Revokes a key. Running invocations with it still complete. */
  revokeKey(
    project: string,
    id: string,
    reason: string,
    signal: AbortSignal,
  ): Promise<Result<true>> {
    const route = `${below(project, "api-keys")}/${encodeURIComponent(id)}/revoke`;
    return this.#change("POST", route, { reason }, "apiKey", signal, () => true);
  }

  /** Lists the policies of a project by skill. */
  policies(
    project: string,
    signal: AbortSignal,
  ): Promise<Result<ReadonlyMap<string, StoredPolicy>>> {
    return this.#get(below(project, "policies"), "policies", signal, readPolicies);
  }

  /** Lists the permissions of a project's pinned versions, by skill. */
  permissions(
    project: string,
    signal: AbortSignal,
  ): Promise<Result<ReadonlyMap<string, Permissions>>> {
    const route = below(project, "installed-skills");
    return this.#get(route, "installedSkills", signal, readInstalledPermissions);
  }

  /** Replaces a whole policy. */
  putPolicy(
    project: string,
    skillSlug: string,
    policy: PolicyRow,
    signal: AbortSignal,
  ): Promise<Result<true>> {
    const route = `${below(project, "policies")}/${encodeURIComponent(skillSlug)}`;
    return this.#change("PUT", route, { ...policy }, "policy", signal, () => true);
  }

  /** Loads the version of a skill that a project has pinned, redacted like public copies. */
  async pinnedSkill(
    project: string,
    skillSlug: string,
    signal: AbortSignal,
  ): Promise<Result<OwnDetail>> {
    const route = below(project, "installed-skills");
    const answer = await this.#routes.send({ method: "GET", route, token: this.#token }, signal);
    if (!answer.ok) return answer;
    const read = await readPinnedSkill(answer.value, skillSlug, route);
    return read ?? unreadable(route, "manifest");
  }

  /** Records the decision about an update, for everybody in the project. */
  settleUpdate(
    project: string,
    updateId: string,
    change: UpdateAction,
    signal: AbortSignal,
  ): Promise<Result<AdoptedUpdate>> {
    const route = `${below(project, "update-inbox")}/${encodeURIComponent(updateId)}/action`;
    return this.#change("PUT", route, { ...change }, "action", signal, (body) => {
      const action = unwrapObject(body, "action");
      return (
        action && optional("approvalState", textOf(member(action, "adoptionApprovalState"), 60))
      );
    });
  }

  /** Installs a version of a skill, or pins another one. */
  install(
    project: string,
    skillSlug: string,
    version: string,
    signal: AbortSignal,
  ): Promise<Result<InstalledSkill>> {
    const route = below(project, "installed-skills");
    const body = { skillSlug, ...(version !== "" && { version }) };
    return this.#change("POST", route, body, "install", signal, readInstall);
  }

  /** Starts or renews a trial of a skill, which needs no payment. The registry decides its length. */
  startTrial(project: string, skillSlug: string, signal: AbortSignal): Promise<Result<true>> {
    const body = { skillSlug, status: "trialing" };
    const route = below(project, "subscriptions");
    return this.#change("POST", route, body, "subscription", signal, () => true);
  }

  /** Starts a purchase of a skill for a project. Returns the page to continue with, an https address. */
  checkout(project: string, skillSlug: string, signal: AbortSignal): Promise<Result<string>> {
    const body = { projectSlug: project, skillSlug };
    return this.#change("POST", "/v1/checkout/sessions", body, "checkout", signal, (answer) => {
      const checkout = unwrapObject(answer, "checkout");
      return checkout && httpsUrl(textOf(member(checkout, "url"), 4000));
    });
  }

  /** Suspends, removes or restores an install; the version stays pinned. */
  setInstallStatus(
    project: string,
    skillSlug: string,
    change: { readonly status: InstallStatus; readonly reason?: string },
    signal: AbortSignal,
  ): Promise<Result<true>> {
    const route = `${below(project, "installed-skills")}/${encodeURIComponent(skillSlug)}/status`;
    return this.#change("PUT", route, { ...change }, "install", signal, () => true);
  }

  /** Rates a skill. The registry publishes ratings after moderation. Sending twice creates two ratings. */
  rateSkill(slug: string, rating: SkillRating, signal: AbortSignal): Promise<Result<true>> {
    const route = `/v1/skills/${encodeURIComponent(slug)}/feedback`;
    return this.#change("POST", route, { ...rating }, "feedback", signal, () => true);
  }

  /** Reports a skill to the registry's staff. Sending twice creates two reports. */
  reportSkill(slug: string, report: SkillReport, signal: AbortSignal): Promise<Result<true>> {
    const route = `/v1/skills/${encodeURIComponent(slug)}/abuse-reports`;
    return this.#change("POST", route, { ...report }, "abuseReport", signal, () => true);
  }

  /** Lists the skills of the publisher, each in its newest version. */
  ownSkills(signal: AbortSignal): Promise<Result<readonly OwnSkill[]>> {
    return this.#get("/v1/publisher/skills", "skills", signal, readOwnSkills);
  }

  /**
   * Lists the versions of a skill of the publisher, with their reviews; none for a new skill or another publisher's.
   */
  ownVersions(slug: string, signal: AbortSignal): Promise<Result<readonly OwnVersion[]>> {
    return this.#get(ofPublisher(slug), "versions", signal, readOwnVersions);
  }

  /** Saves the text of a manifest, unchanged, as a draft of its version. Its texts are public once the skill was submitted. */
  saveDraft(slug: string, manifest: string, signal: AbortSignal): Promise<Result<true>> {
    const body = `{"manifest":${manifest}}`;
    return this.#change("POST", ofPublisher(slug), body, "version", signal, () => true);
  }

  /** Submits a version for review. This blocks its skill for everybody until the decision. */
  submitVersion(slug: string, version: string, signal: AbortSignal): Promise<Result<true>> {
    const route = `${ofPublisher(slug)}/${encodeURIComponent(version)}/submit`;
    return this.#change("POST", route, {}, "review", signal, () => true);
  }

  async #get<Value>(
    route: string,
    field: string,
    signal: AbortSignal,
    read: (body: JsonValue) => Value | undefined,
  ): Promise<Result<Value>> {
    const answer = await this.#routes.send({ method: "GET", route, token: this.#token }, signal);
    return decoded(answer, route, field, read);
  }

  async #change<Value>(
    method: "POST" | "PUT",
    route: string,
    body: JsonObject | string,
    field: string,
    signal: AbortSignal,
    read: (body: JsonValue) => Value | undefined,
  ): Promise<Result<Value>> {
    const answer = await this.#routes.send({ method, route, token: this.#token, body }, signal);
    return decoded(answer, route, field, read);
  }

  /** Reads the token and its row. Redacts the row's texts, which may repeat the token. */
  #newToken(body: JsonValue): NewToken | undefined {
    const source = unwrapObject(body, "accessToken") ?? {};
    const text = member(source, "token");
    const read = typeof text === "string" ? readUserToken(text, this.#token.origin) : undefined;
    const row = readTokenRow(source);
    if (!read?.ok || row === undefined) return undefined;
    const { redactor } = this.#routes;
    redactor.learn(read.token.text);
    const [id, name] = [redactor.redact(row.id), redactor.redact(row.name)];
    return { row: { ...row, id, name }, token: read.token.text };
  }

  /** Reads the key and its row. Redacts the row's texts, which may repeat the key. */
  #newKey(body: JsonValue): NewProjectKey | undefined {
    const outer = objectOf(body) ?? {};
    const holder = objectOf(member(outer, "data")) ?? outer;
    const source = objectOf(member(holder, "apiKey")) ?? holder;
    const text = member(source, "apiKey", "key");
    const read = typeof text === "string" ? readProjectKey(text) : undefined;
    const row = readKeyRow(source);
    if (!read?.ok || row === undefined) return undefined;
    const { redactor } = this.#routes;
    redactor.learn(read.key);
    const { id, name } = row;
    return { row: { ...row, id: redactor.redact(id), name: redactor.redact(name) }, key: read.key };
  }
}

function below(project: string, part: string): string {
  return `/v1/projects/${encodeURIComponent(project)}/${part}`;
}

function ofPublisher(slug: string): string {
  return `/v1/publisher/skills/${encodeURIComponent(slug)}/versions`;
}

function readInstall(body: JsonValue): InstalledSkill | undefined {
  return readInstalledSkill(unwrapObject(body, "install") ?? null);
}
