import {
  type InstallUsage,
  maxListedInvocations,
  type ServerInvocation,
} from "../../project/project";
import { noProjectText, type ProjectState, projectMessage } from "../../project/projectState";
import { type ComparedInvocation, compareWithState, knownStatus } from "../../project/serverRecord";
import { builtInRegistryName } from "../../registry/registryName";
import { dayMs, localDay } from "../../text/dates";
import type { Language } from "../../text/language";
import { currencyOf } from "../../text/money";
import { type EndFacts, isWaiting, outcomeOf } from "../outcome";
import type { InvocationRecord } from "../record/invocationRecord";
import type { UsageGroup } from "./usage";

/** A project's record for its charts, or why there is none. */
export type ProjectUsage =
  | { readonly kind: "loading" }
  /** There is no project to show; `message` gives the reason. */
  | { readonly kind: "none"; readonly message: string }
  | ProjectRecord;

/** The newest invocations of a project by all its members, and its sums. */
export interface ProjectRecord {
  readonly kind: "record";
  readonly name: string;
  /** When it was read, in milliseconds since 1970. */
  readonly readAt: number;
  /** Notes, such as why this may be outdated; empty for none. */
  readonly note: string;
  /** The invocations that the registry lists, each as a group, the newest first. Omits those without a time. */
  readonly groups: readonly UsageGroup[];
  /** The number of listed invocations, and whether there may be older ones. */
  readonly listed: number;
  readonly isCut: boolean;
  /** The project's usage of each skill since its creation, if the registry returns it. */
  readonly skills: readonly ProjectSkillUsage[];
}

/** Sums of a skill in a project, since the project began. */
export interface ProjectSkillUsage extends InstallUsage {
  readonly skill: string;
  /** As `currencyOf` spells it; empty for none. */
  readonly currency: string;
  readonly isSample: boolean;
}

/** Converts a project's data for charts. `own` is the record of this machine; undefined where it cannot be read. */
export function projectUsage(
  state: ProjectState,
  own: readonly InvocationRecord[] | undefined,
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
    groups: compared.flatMap((invocation) =>
      listedGroup(invocation, registry, detail.summary.slug),
    ),
    listed: detail.invocations.length,
    isCut: detail.invocations.length >= maxListedInvocations,
    skills: detail.skills.flatMap(({ slug, usage }) => {
      if (usage === undefined) return [];
      const currency = currencyOf(usage.currency ?? "");
      return [{ ...usage, skill: slug, currency, isSample: registry === builtInRegistryName }];
    }),
  };
}

/** Converts one invocation. Facts that only this machine recorded are not part of the project's record. */
function listedGroup(
  { server, own }: ComparedInvocation,
  registry: string,
  project: string,
): readonly UsageGroup[] {
  if (server?.createdAt === undefined) return [];
  const { createdAt, skillSlug = "", latencyMs } = server;
  const neverRuns = own?.ran === "acceptedOnly" && !isWaiting(own);
  const facts = neverRuns ? factsOf(own) : listedFacts(server);
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

/** Returns the facts of a listed invocation. An unknown word of the registry is neither a success nor a failure. */
function listedFacts(server: ServerInvocation): EndFacts {
  const status = knownStatus(server);
  if (status === undefined) return { status: "outcome unknown", ran: "unknown" };
  if (status === "not executed") return { status, ran: "acceptedOnly", reason: "waiting" };
  return { status, ran: status === "blocked" ? "no" : "yes" };
}

/** Returns whether a registry's duration is plausible: not negative, and below a day. */
function isDuration(ms: number | undefined): ms is number {
  return ms !== undefined && ms >= 0 && ms < dayMs;
}
