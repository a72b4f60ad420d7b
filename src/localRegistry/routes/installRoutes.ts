import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../core/json/jsonValue";
import { levelRank, permissionLevels } from "../../core/skill/permissions";
import { findRelease, findSkill } from "../catalog/catalog";
import { levelOf } from "../catalog/skillResponses";
import { type Answer, okAnswer, Refusal, type Route, type RouteRequest } from "../handleRequest";
import type { Session } from "../project/accounts";
import {
  defaultPolicy,
  type Install,
  type Policy,
  type Project,
  type Update,
} from "../project/project";
import { inboxRows, installRow, policyRow } from "../project/projectResponses";
import type { Workspace } from "../project/workspace";
import type { UserAnswer } from "./accountRoutes";
import { databaseRefusal, projectMember, reasonOf } from "./projectRoutes";

/** Returns the routes for the skills of a project: installs, policies and the update inbox. */
export function installRoutes(workspace: Workspace): readonly Route[] {
  const { projects } = workspace;
  const member = (answer: UserAnswer) => projectMember(workspace, answer);
  // Lists of an unknown project are empty.
  const list = (answer: (project: Project) => object, empty: object) =>
    member(({ params }) => {
      const project = projects.get(params["project"] ?? "");
      return okAnswer(project === undefined ? empty : answer(project));
    });
  const at = "/v1/projects/{project}";
  return [
    {
      method: "GET",
      path: `${at}/installed-skills`,
      answer: list(
        ({ slug, installs }) => ({
          installedSkills: [...installs.values()].map((install) => installRow(slug, install)),
        }),
        { installedSkills: [] },
      ),
    },
    {
      method: "POST",
      path: `${at}/installed-skills`,
      answer: member((request) => installSkill(workspace, request)),
    },
    {
      method: "PUT",
      path: `${at}/installed-skills/{skill}/status`,
      answer: member((request) => setStatus(workspace, request)),
    },
    {
      method: "GET",
      path: `${at}/policies`,
      answer: list(
        ({ slug, policies }) => ({
          policies: [...policies].map(([skill, policy]) => policyRow(slug, skill, policy)),
        }),
        { policies: [] },
      ),
    },
    {
      method: "PUT",
      path: `${at}/policies/{skill}`,
      answer: member((request, session) => putPolicy(workspace, request, session)),
    },
    {
      method: "GET",
      path: `${at}/update-inbox`,
      answer: list((project) => ({ updates: inboxRows(project) }), { updates: [] }),
    },
    {
      method: "PUT",
      path: `${at}/update-inbox/{id}/action`,
      answer: member((request, session) => actOnUpdate(workspace, request, session)),
    },
  ];
}

/** Installs a skill, changes its version, or restores it. */
function installSkill(workspace: Workspace, { params, body: { members } }: RouteRequest): Answer {
  const { skillSlug, version } = members;
  if (typeof skillSlug !== "string" || skillSlug === "") {
    throw new Refusal(400, "Missing skillSlug.");
  }
  const skill = findSkill(skillSlug);
  const release = skill && (version ? findRelease(skill, version) : skill.releases[0]);
  if (skill === undefined || release === undefined) {
    throw new Refusal(400, "Skill or version not found.");
  }
  if (skill.verificationStatus !== "verified") {
    const rule = "Only verified skills can be installed into developer projects.";
    throw new Refusal(400, rule);
  }
  const project = workspace.openProject(params["project"] ?? "");
  const { manifest } = release;
  const now = new Date(workspace.now()).toISOString();
  const approvalState = levelOf(manifest) === "high" ? "owner_required" : "approved";
  const times = { installedAt: now, updatedAt: now };
  const install: Install = { skill, manifest, status: "installed", approvalState, ...times };
  project.installs.set(skill.slug, install);
  if (!project.policies.has(skill.slug)) {
    project.policies.set(skill.slug, defaultPolicy(manifest, now));
  }
  const { manifest: _, ...row } = installRow(project.slug, install);
  return { status: 201, body: { install: { id: randomUUID(), ...row } } };
}

function setStatus(workspace: Workspace, request: RouteRequest): Answer {
  const { status } = request.body.members;
  if (status === undefined || status === "") throw new Refusal(400, "Missing install status.");
  if (status !== "installed" && status !== "suspended" && status !== "removed") {
    throw new Refusal(400, "Install status must be installed, suspended, or removed.");
  }
  if (status !== "installed") reasonOf(request);
  const project = workspace.projects.get(request.params["project"] ?? "");
  const install = project?.installs.get(request.params["skill"] ?? "");
  if (project === undefined || install === undefined) {
    throw new Refusal(400, "Installed skill not found for this project.");
  }
  const updatedAt = new Date(workspace.now()).toISOString();
  const { slug: skillSlug } = install.skill;
  project.installs.set(skillSlug, { ...install, status, updatedAt });
  return okAnswer({
    install: {
      id: randomUUID(),
      projectSlug: project.slug,
      organizationId: workspace.accounts.organization.id,
      skillSlug,
      displayName: install.manifest.displayName,
      status,
      approvalState: install.approvalState,
      updatedAt,
    },
  });
}

/** Replaces a whole policy: missing members are reset to the default of the current manifest. */
function putPolicy(workspace: Workspace, { params, body }: RouteRequest, session: Session): Answer {
  const skill = findSkill(params["skill"]);
  if (skill === undefined) throw new Refusal(400, "Skill or version not found.");
  const { manifest } = skill.releases[0];
  const now = new Date(workspace.now()).toISOString();
  const given = readPolicy(body.members, defaultPolicy(manifest, now));
  if (levelOf(manifest) === "high" && !given.approvalRequired && session.user.role !== "owner") {
    const rule = "Owner or admin role is required to approve high-risk project policy.";
    throw new Refusal(400, rule);
  }
  const project = workspace.openProject(params["project"] ?? "");
  const approval = given.approvalRequired
    ? { approvedAt: null, approvedByUserId: null }
    : { approvedAt: now, approvedByUserId: session.user.id };
  const policy = { ...given, ...approval };
  project.policies.set(skill.slug, policy);
  const install = project.installs.get(skill.slug);
  if (install !== undefined) {
    const approvalState = given.approvalRequired ? "owner_required" : "approved";
    project.installs.set(skill.slug, { ...install, approvalState, updatedAt: now });
  }
  const { approvedByUserId } = approval;
  const row = policyRow(project.slug, skill.slug, policy);
  return okAnswer({ policy: { ...row, id: randomUUID(), approvedByUserId } });
}

function readPolicy(members: JsonObject, base: Policy): Policy {
  const flag = (name: string, fallback: boolean) =>
    members[name] === undefined ? fallback : members[name] === true;
  const word = <Word extends string>(name: string, words: readonly Word[], fallback: Word) => {
    const value = members[name] ?? fallback;
    return words.find((item) => item === value) ?? refuseRow(name);
  };
  const count = (name: string, least: number, fallback: number) => {
    const value = Number(members[name] ?? fallback);
    if (!Number.isInteger(value)) {
      throw databaseRefusal(`invalid input syntax for type integer: "${members[name]}"`);
    }
    return value < least ? refuseRow(name) : value;
  };
  return {
    ...base,
    maxPermissionLevel: word("maxPermissionLevel", permissionLevels, base.maxPermissionLevel),
    allowNetwork: flag("allowNetwork", base.allowNetwork),
    allowBrowser: flag("allowBrowser", base.allowBrowser),
    filesystemAccess: word("filesystemAccess", ["none", "read", "write"], base.filesystemAccess),
    allowSecretAccess: flag("allowSecretAccess", base.allowSecretAccess),
    monthlyBudgetCents: count("monthlyBudgetCents", 0, base.monthlyBudgetCents),
    rateLimitPerMinute: count("rateLimitPerMinute", 1, base.rateLimitPerMinute),
    approvalRequired: flag("approvalRequired", base.approvalRequired),
  };
}

function refuseRow(name: string): never {
  throw databaseRefusal(
    `new row for relation "project_policies" violates check constraint "project_policies_${name}_check"`,
  );
}

const actions = ["acknowledged", "scheduled", "adopted", "ignored"] as const;

function actOnUpdate(workspace: Workspace, request: RouteRequest, session: Session): Answer {
  const { status, note, scheduledFor } = request.body.members;
  const action = actions.find((item) => item === status);
  if (action === undefined) {
    const rule = "Update action status must be acknowledged, scheduled, adopted, or ignored.";
    throw new Refusal(400, rule);
  }
  const time = scheduledFor === undefined ? null : Date.parse(String(scheduledFor));
  if (Number.isNaN(time)) throw new Refusal(400, "scheduledFor must be a valid date.");
  const project = workspace.projects.get(request.params["project"] ?? "");
  const update = project?.updates.find(({ id }) => id === request.params["id"]);
  if (project === undefined || update === undefined) {
    throw new Refusal(400, "Update event not found for this project.");
  }
  // An event without a version is only marked as handled; the pin stays.
  const isMove = action === "adopted" && update.targetVersion !== null;
  const adopted = isMove ? adopt(workspace, project, update) : undefined;
  const now = new Date(workspace.now()).toISOString();
  update.actionStatus = action;
  update.actionNote = note === undefined ? null : String(note);
  update.scheduledFor = time === null ? null : new Date(time).toISOString();
  update.resolvedAt = action === "adopted" || action === "ignored" ? now : null;
  update.actionUpdatedAt = now;
  const { id: updateId, skill, eventType, severity, title, resolvedAt } = update;
  return okAnswer({
    action: {
      id: randomUUID(),
      status: action,
      note: update.actionNote,
      scheduledFor: update.scheduledFor,
      decidedBy: session.user.id,
      resolvedAt,
      updatedAt: now,
      createdAt: now,
      projectSlug: project.slug,
      updateId,
      skillSlug: skill.slug,
      displayName: skill.releases[0].manifest.displayName,
      eventType,
      severity,
      title,
      adoptedVersion: adopted?.manifest.version ?? null,
      adoptionApprovalState: adopted?.approvalState ?? null,
    },
  });
}

/** Pins the new version; a higher permission level needs an owner's approval. */
function adopt(workspace: Workspace, project: Project, { skill, targetVersion }: Update): Install {
  const install = project.installs.get(skill.slug);
  const release = findRelease(skill, targetVersion);
  if (release === undefined) {
    throw new Refusal(400, "Only approved skill versions can be adopted by a project.");
  }
  if (install === undefined || install.status === "removed") {
    throw new Refusal(400, "Removed skills must be reinstalled before adopting updates.");
  }
  const isHigher = levelRank(levelOf(release.manifest)) > levelRank(levelOf(install.manifest));
  const adopted: Install = {
    ...install,
    manifest: release.manifest,
    approvalState: isHigher ? "owner_required" : install.approvalState,
    updatedAt: new Date(workspace.now()).toISOString(),
  };
  project.installs.set(skill.slug, adopted);
  return adopted;
}
