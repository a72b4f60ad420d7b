import type { EngineParts } from "../../engine/attempt";
import { Engine } from "../../engine/invoke";
import type { ConnectedRegistry } from "../connect/registryConnection";
import type { SkillDetails } from "../inspect/skillDetails";
import { readSettings } from "../settings";
import { hostLanguage } from "../ui/hostLanguage";
import { documentOrigin } from "./invocationOrigin";
import { InvocationPath, type InvocationPathParts } from "./invocationPath";
import { InvocationTarget, type TargetParts } from "./invocationTarget";
import { Invoker } from "./invoker";

interface InvokerSources
  extends TargetParts,
    Omit<InvocationPathParts, "engine" | "target" | "details">,
    Pick<EngineParts<ConnectedRegistry>, "keyProject">,
    Pick<EngineParts, "callabilityFacts" | "objectionTo" | "acceptObjection">,
    Pick<EngineParts<ConnectedRegistry>, "budget">,
    Pick<EngineParts, "history" | "store" | "audit" | "channels" | "keeping" | "profile"> {
  readonly details: SkillDetails;
}

/** Builds the parts that invoke skills. None of them needs to be disposed of. */
export function startInvoker(sources: InvokerSources): {
  readonly engine: Engine<ConnectedRegistry>;
  readonly invoker: Invoker;
} {
  const { connection, keys, details } = sources;
  const target = new InvocationTarget(sources);
  const engine = new Engine<ConnectedRegistry>({
    ...sources,
    language: hostLanguage(),
    dailyLimitCents: () => readSettings().dailyLimitCents,
    timeoutSeconds: () => readSettings().invokeTimeoutSeconds,
    readSkill: (_registry, slug, version) =>
      details.refresh(slug, version === "" ? undefined : version),
    findKey: (registry) => keys.find(registry),
    findSender: (wanted, skillSlug) => target.findSender(wanted, skillSlug),
    stillInUse: async ({ baseUrl }) => {
      const current = await connection.current();
      return current.ok && current.registry.baseUrl === baseUrl ? current.registry : undefined;
    },
    using: (registry, work) => connection.use(registry, work),
  });
  return {
    engine,
    invoker: new Invoker(
      (again) => new InvocationPath({ ...sources, engine, target }, again),
      (document) => documentOrigin(sources, document),
    ),
  };
}
