import type { InstallUsage, ServerInvocation } from "../../project/project";
import { noProjectText, type ProjectState, projectMessage } from "../../project/projectState";
import {
  type ComparedInvocation,
  compareWithState,
  fullList,
  knownStatus,
} from "../../project/serverRecord";
import { dayMs, localDay } from "../../text/dates";
import type { Language } from "../../text/language";
import { currencyOf } from "../../text/money";
import { type EndFacts, outcomeOf } from "../outcome";
import { builtInRegistryName, type InvocationRecord } from "../record/invocationRecord";
import type { UsageGroup } from "./usage";

/** A project's record for its charts, or why there is none. */
export type ProjectUsage =
  | { readonly kind: "loading" }
  /** There is no project to show; `message` says why. */
  | { readonly kind: "none"; readonly message: string }
  | ProjectRecord;

/** The newest invocations of a project, by whoever made them, and its sums. */
export interface ProjectRecord {
  readonly kind: "record";
  readonly name: string;
  /** When it was read, in milliseconds since 1970. */
  readonly readAt: number;
  /** Why this may be outdated, and what else there is to say; empty for nothing. */
  readonly note: string;
  /** The invocations that the registry lists, each as a group, the newest first; those without a time are left out. */
  readonly groups: readonly UsageGroup[];
  /** How many it lists, and whether there may be older ones. */
  readonly listed: number;
  readonly isCut: boolean;
  /** What the project used of each skill since it began, as far as the registry says. */
  readonly skills: readonly ProjectSkillUsage[];
}

/** Sums of a skill in a project, since the project began. */
export interface ProjectSkillUsage extends InstallUsage {
  readonly skill: string;
  /** As `currencyOf` spells it; empty for none. */
  readonly currency: string;
  readonly isSample: boolean;
}

/** Describes for charts what was read of a project; `own` is the record of this machine. */
export function projectUsage(
  state: ProjectState,
  own: readonly InvocationRecord[],
  now: number,
  language: Language,
): ProjectUsage {
  if (state.kind === "loading") return { kind: "loading" };
  if (state.kind !== "project") return { kind: "none", message: noProjectText(state, language) };
  const { registry, detail, loadedAt } = state;
  const compared = compareWithState(state, own);
  return {
    kind: "record",
    name: detail.summary.name,
    readAt: loadedAt,
    note: projectMessage(state, undefined, now, language),
    groups: compared.flatMap((one) => listedGroup(one, registry, detail.summary.slug)),
    listed: detail.invocations.length,
    isCut: detail.invocations.length >= fullList,
    skills: detail.skills.flatMap(({ slug, usage }) => {
      if (usage === undefined) return [];
      const currency = currencyOf(usage.currency ?? "");
      return [{ ...usage, skill: slug, currency, isSample: registry === builtInRegistryName }];
    }),
  };
}

/** What only this machine recorded is no part of the project's record. */
function listedGroup(
  { server, own }: ComparedInvocation,
  registry: string,
  project: string,
): readonly UsageGroup[] {
  if (server?.createdAt === undefined) return [];
  const { createdAt, skillSlug = "", latencyMs } = server;
  const facts = own?.ran === "acceptedOnly" ? factsOf(own) : listedFacts(server);
  const isTimed = isDuration(latencyMs) && outcomeOf(facts).hasRun;
  return [
    {
      ...{ count: 1, day: localDay(createdAt), registry, project, skillSlug, ...facts },
      profile: own?.profile ?? "",
      ...{ durations: isTimed ? [latencyMs] : [], ids: isTimed ? [own?.id ?? ""] : [] },
    },
  ];
}

function factsOf({ status, ran }: InvocationRecord): EndFacts {
  return { status, ran };
}

/** A word of the registry's own says neither that it went well nor that it did not. */
function listedFacts(server: ServerInvocation): EndFacts {
  const status = knownStatus(server);
  if (status === undefined) return { status: "outcome unknown", ran: "unknown" };
  return { status, ran: status === "blocked" ? "no" : "yes" };
}

/** Whatever a registry says: nothing takes less than no time, and no invocation a day. */
function isDuration(ms: number | undefined): ms is number {
  return ms !== undefined && ms >= 0 && ms < dayMs;
}
