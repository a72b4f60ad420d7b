import * as vscode from "vscode";
import type { SkillDetail } from "../../core/skill/skill";
import type { SkillFilters } from "../../core/skillList/skillQuery";
import { oneLine } from "../../core/text/plainText";
import type { AllowedSkills } from "../agents/allowedSkills";
import type { OutputDocuments } from "../audit/outputDocuments";
import { openNewPayload, openPayloadText } from "../author/newPayload";
import type { PayloadBindings } from "../author/payloadBindings";
import { currentRegistry } from "../connect/currentRegistry";
import type { SkillSource } from "../discover/pickSkill";
import type { SkillCatalog } from "../discover/skillCatalog";
import type { SkillsView } from "../discover/skillsView";
import type { ThisSkill } from "../discover/thisSkill";
import { manifestPageId } from "../ids";
import { type PayloadSources, showPayload } from "../invoke/invokeCommands";
import type { Invoker } from "../invoke/invoker";
import { LocalInvoker, type LocalInvokerParts, trialAddress } from "../invoke/onPage/localInvoker";
import { PageTrials } from "../invoke/onPage/pageTrials";
import type { WorkspaceReviews } from "../review/workspaceReviews";
import { hostLanguage } from "../ui/hostLanguage";
import type { Register } from "../ui/owner";
import { ComparisonPages } from "./comparisonPages";
import { inspectCommands, openSkillLink } from "./inspectCommands";
import { ManifestDocuments } from "./manifestDocuments";
import { localEffects, pageEffects } from "./pageEffects";
import type { PageFrame } from "./pageFrame";
import type { SkillDetails } from "./skillDetails";
import { SkillPages } from "./skillPages";
import type { SkillPanelParts } from "./skillPanel";

/** The dependencies of showing skills. */
interface InspectSources extends Pick<SkillPanelParts, "callabilityFacts">, LocalInvokerParts {
  readonly frame: PageFrame;
  readonly details: SkillDetails;
  readonly catalog: SkillCatalog;
  readonly view: SkillsView;
  readonly source: SkillSource;
  /** Lets the user choose a skill. Undefined if they canceled. */
  readonly pickSkill: (title: string) => Promise<string | undefined>;
  readonly thisSkill: ThisSkill;
  readonly bindings: PayloadBindings;
  readonly payloads: PayloadSources;
  readonly outputs: OutputDocuments;
  readonly invoker: Invoker;
  readonly reviews: WorkspaceReviews;
  readonly allowed: AllowedSkills;
  readonly register: Register;
}

/** Builds the pages of skills, and the commands that show one or several. */
export function startInspect(sources: InspectSources) {
  const { connection, frame, details, catalog, thisSkill } = sources;
  const { bindings, checks, payloads, outputs, invoker, reviews, allowed, register } = sources;
  const language = hostLanguage();
  const manifests = register(new ManifestDocuments(details, language));
  const effects = {
    manifests,
    newPayload: (skill: SkillDetail, example: number) => openNewPayload(skill, payloads, example),
    openText: ({ summary }: SkillDetail, text: string) => openPayloadText(summary, text, bindings),
    showPayload: (skill: SkillDetail) => showPayload(payloads, skill),
    listSkills: (filters: SkillFilters) => catalog.setQuery({ text: "", filters }),
  };
  const parts: SkillPanelParts = {
    frame,
    language,
    connection,
    details,
    handlers: pageEffects(effects),
    callabilityFacts: sources.callabilityFacts,
    reviewOf: (skill) => reviews.noteOn(skill),
    agentsOf: async (slug) => {
      const registry = await currentRegistry(connection);
      return registry && allowed.noteOn(registry, slug);
    },
    nameOf: (slug) => nameInList(catalog, slug),
    outline: checks.outline,
    sample: checks.sample,
    checks,
    trialsOf: (page) =>
      new PageTrials({ invoker, checks, outputs, details, isRecorded: true }, page),
    localAddress: () => undefined,
  };
  const pages = register(new SkillPages(parts));
  const localPages = (found: SkillPanelParts["details"]) => {
    const handlers = localEffects(effects, checks.sample, trialAddress);
    const unknown = async () => undefined;
    const facts = async () => ({ hasKey: undefined, invocations: [], now: Date.now() });
    const trials = {
      ...{ checks, outputs, isRecorded: false, details: { registryOf: () => "" } },
      invoker: new LocalInvoker(sources),
    };
    const trialsOf: SkillPanelParts["trialsOf"] = (page) => new PageTrials(trials, page);
    const trying = { trialsOf, localAddress: trialAddress };
    const own = { details: found, handlers, callabilityFacts: facts, ...trying };
    const bare = { reviewOf: unknown, agentsOf: unknown, nameOf: (slug: string) => slug };
    const local = register(new SkillPages({ ...parts, ...own, ...bare }, manifestPageId));
    register(vscode.workspace.onDidGrantWorkspaceTrust(() => local.refresh()));
    return local;
  };
  const comparisons = register(
    new ComparisonPages({ frame, language, connection, details, outline: checks.outline }),
  );
  thisSkill.activePage = () => pages.activeSlug;
  return {
    pages,
    /** Creates pages of skills that no registry returned. */
    localPages,
    manifests,
    comparisons,
    openLink: (link: vscode.Uri) => openSkillLink({ pages, details, bindings }, link),
    commands: inspectCommands({
      ...sources,
      pages,
      comparisons,
      shapes: checks.shapes,
      mistakes: checks.mistakes,
    }),
  };
}

function nameInList({ state }: SkillCatalog, slug: string): string {
  const skills = state.kind === "list" ? state.list.skills : [];
  const known = skills.find((skill) => skill.slug === slug);
  return oneLine(known?.displayName || slug, 40);
}
