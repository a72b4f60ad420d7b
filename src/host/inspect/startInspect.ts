import type * as vscode from "vscode";
import { oneLine } from "../../core/text/plainText";
import type { AllowedSkills } from "../agents/allowedSkills";
import type { OutputDocuments } from "../audit/outputDocuments";
import { openNewPayload, openPayloadText } from "../author/newPayload";
import type { PayloadBindings } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import { currentRegistry } from "../connect/currentRegistry";
import type { RegistryConnection } from "../connect/registryConnection";
import type { SkillSource } from "../discover/pickSkill";
import type { SkillCatalog } from "../discover/skillCatalog";
import type { SkillsView } from "../discover/skillsView";
import type { ThisSkill } from "../discover/thisSkill";
import { type PayloadSources, showPayload } from "../invoke/invokeCommands";
import type { Invoker } from "../invoke/invoker";
import { PageTrials } from "../invoke/onPage/pageTrials";
import type { WorkspaceReviews } from "../review/workspaceReviews";
import { hostLanguage } from "../ui/hostLanguage";
import type { Register } from "../ui/owner";
import { ComparisonPages } from "./comparisonPages";
import { inspectCommands, openSkillLink } from "./inspectCommands";
import { ManifestDocuments } from "./manifestDocuments";
import { pageEffects } from "./pageEffects";
import type { PageFrame } from "./pageFrame";
import type { SkillDetails } from "./skillDetails";
import { SkillPages } from "./skillPages";
import type { SkillPanelParts } from "./skillPanel";

/** The dependencies of showing skills. */
interface InspectSources extends Pick<SkillPanelParts, "callabilityFacts"> {
  readonly connection: RegistryConnection;
  readonly frame: PageFrame;
  readonly details: SkillDetails;
  readonly catalog: SkillCatalog;
  readonly view: SkillsView;
  readonly source: SkillSource;
  /** Lets the user choose a skill. Undefined where they canceled. */
  readonly pickSkill: (title: string) => Promise<string | undefined>;
  readonly thisSkill: ThisSkill;
  readonly bindings: PayloadBindings;
  readonly checks: PayloadChecks;
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
  const pages = register(
    new SkillPages({
      frame,
      language,
      connection,
      details,
      handlers: pageEffects({
        manifests,
        newPayload: (skill, example) => openNewPayload(skill, payloads, example),
        openText: ({ summary }, text) => openPayloadText(summary, text, bindings),
        showPayload: (skill) => showPayload(payloads, skill),
        listSkills: (filters) => catalog.setQuery({ text: "", filters }),
      }),
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
      trialsOf: (page) => new PageTrials({ invoker, checks, outputs, details }, page),
    }),
  );
  const comparisons = register(
    new ComparisonPages({ frame, language, connection, details, outline: checks.outline }),
  );
  thisSkill.activePage = () => pages.activeSlug;
  return {
    pages,
    manifests,
    comparisons,
    openLink: (link: vscode.Uri) => openSkillLink({ pages, details, bindings }, link),
    commands: inspectCommands({
      ...sources,
      pages,
      comparisons,
      shapes: checks.shapes,
    }),
  };
}

function nameInList({ state }: SkillCatalog, slug: string): string {
  const skills = state.kind === "list" ? state.list.skills : [];
  const known = skills.find((skill) => skill.slug === slug);
  return oneLine(known?.displayName || slug, 40);
}
