import * as vscode from "vscode";
import { type MakeSample, sampleTemplate } from "../../core/payload/payloadTemplates";
import { httpsUrl } from "../../core/registry/registryOrigin";
import type { SkillDetail } from "../../core/skill/skill";
import type { SkillFilters } from "../../core/skillList/skillQuery";
import { type PageCommand, pageCommands } from "../../protocol/pageCommands";
import type { PageHandlers } from "../../protocol/readPageMessage";
import { commandIds, viewIds } from "../ids";
import { openJson } from "../ui/documents";
import { copyText, inform, openInBrowser } from "../ui/messages";
import { runAction } from "../ui/showNotice";
import { type ManifestDocuments, skillText } from "./manifestDocuments";
import type { SkillPanel } from "./skillPanel";

/** The dependencies of a page's effects. */
interface PageEffectParts {
  readonly manifests: ManifestDocuments;
  readonly newPayload: (skill: SkillDetail, example: number) => Promise<unknown>;
  /** Opens a text as a new payload. */
  readonly openText: (skill: SkillDetail, text: string) => Promise<vscode.TextEditor>;
  /** Shows the payload of a skill, from which the user can invoke it. */
  readonly showPayload: (skill: SkillDetail) => Promise<unknown>;
  /** Lists only the skills that match the filters. */
  readonly listSkills: (filters: SkillFilters) => Promise<unknown>;
}

/**
 * Builds the handlers for the messages of a skill's page. Handlers that need the skill do nothing before it is read.
 */
export function pageEffects({
  manifests,
  newPayload,
  openText,
  showPayload,
  listSkills,
}: PageEffectParts): (panel: SkillPanel) => PageHandlers<"skill"> {
  const showSkills = async (filters: SkillFilters) => {
    await vscode.commands.executeCommand(`${viewIds.skills}.focus`);
    await listSkills(filters);
  };
  const run = vscode.commands.executeCommand;
  const copied = (text: string) => copyText(text, vscode.l10n.t("Copied"));
  return (panel) => {
    const forSkill = (act: (skill: SkillDetail) => unknown) => panel.skill && act(panel.skill);
    const withSlug = (act: (slug: string) => unknown) =>
      forSkill(({ summary }) => act(summary.slug));
    return {
      retry: () => panel.retry(),
      runAction: ({ action }) => runAction(action),
      selectVersion: ({ version }) => panel.showVersion(version),
      compareVersions: (pair) => panel.compare(pair),
      viewSchema: ({ side }) => panel.addSchema(side),
      invokeExample: ({ example: name }) =>
        forSkill((skill) => {
          const input = skill.examples[name]?.input;
          if (input === undefined) return;
          const text = JSON.stringify(input, undefined, 2);
          const open = () => newPayload(skill, name);
          return panel.trials.invoke(skill, { name, text, open });
        }),
      cancelTrial: ({ trial }) => panel.trials.cancel(trial),
      runTrialAction: ({ trial, action }) => panel.trials.runAction(trial, action),
      openResult: ({ trial, what }) => panel.trials.openResult(trial, what),
      saveTrialPart: ({ trial, part }) => panel.trials.savePart(trial, part),
      readForm: () => panel.form.read(),
      editForm: ({ edit, revision }) => panel.form.edit(edit, revision),
      showFields: ({ pointer, count }) => panel.form.showFields(pointer, count),
      startForm: ({ from }) => panel.form.start(from),
      invokeForm: () =>
        forSkill(async (skill) => {
          const whole = await panel.form.completePayload();
          if (panel.skill !== skill) return;
          if (whole === undefined) return panel.form.focusUnreadField();
          const { text, environmentUri, show } = whole;
          const open = () => show((own) => openText(skill, own));
          const payload = { name: "form", text, environmentUri, open } as const;
          await panel.trials.invoke(skill, payload);
        }),
      openForm: () => forSkill((skill) => panel.form.openAsJson((text) => openText(skill, text))),
      runCommand: ({ command }) => {
        const { isOfRegistry }: PageCommand = pageCommands[command];
        const id = commandIds[command];
        return isOfRegistry ? run(id) : withSlug((slug) => run(id, slug));
      },
      openSkill: ({ slug }) => forSkill(() => run(commandIds.openSkill, slug)),
      openLink: ({ url }) => forSkill(() => openLink(url)),
      find: () => forSkill(() => run("editor.action.webvieweditor.showFind")),
      newPayload: ({ example }) => forSkill((skill) => newPayload(skill, example)),
      openPayload: () => forSkill(showPayload),
      diffManifests: (pair) => withSlug((slug) => manifests.showDifference(slug, pair)),
      openText: ({ what }) => forSkill((skill) => manifests.show(what, skill)),
      openExample: ({ example, side }) =>
        forSkill((skill) => manifests.showExample(skill, example, side)),
      copy: ({ what }) => forSkill((skill) => copied(skillText(what, skill))),
      copyExample: ({ example, side }) =>
        forSkill(({ examples }) => {
          const value = examples[example]?.[side];
          return value !== undefined && copied(JSON.stringify(value, undefined, 2));
        }),
      listByTag: ({ tag: index }) =>
        forSkill(({ summary }) => {
          const tag = summary.tags[index];
          return tag !== undefined && showSkills({ tags: [tag] });
        }),
      listByPublisher: () =>
        forSkill(({ summary: { publisher } }) => {
          return publisher !== undefined && showSkills({ publisher: [publisher.name] });
        }),
    };
  };
}

/**
 * Builds the handlers of a page for a workspace's manifest. Its texts belong to no skill, and nothing can be invoked
 * unless `addressOf` returns where to send it.
 */
export function localEffects(
  parts: PageEffectParts,
  sample: MakeSample,
  addressOf: (skill: SkillDetail) => string | undefined,
): (panel: SkillPanel) => PageHandlers<"skill"> {
  const openSample = async (skill: SkillDetail) =>
    openJson((await sampleTemplate(skill, "example", sample)).value);
  const openText = (_: SkillDetail, text: string) => openJson(JSON.parse(text));
  const effects = pageEffects({
    ...parts,
    openText,
    newPayload: openSample,
    showPayload: openSample,
  });
  const refuse = () =>
    inform(vscode.l10n.t("This page shows a manifest of the workspace, which cannot be invoked."));
  return (panel) => {
    const own = effects(panel);
    const maySend = () => panel.skill !== undefined && addressOf(panel.skill) !== undefined;
    return {
      ...own,
      invokeExample: (message) => (maySend() ? own.invokeExample(message) : refuse()),
      invokeForm: (message) => (maySend() ? own.invokeForm(message) : refuse()),
      runCommand: refuse,
      openText: ({ what }) => panel.skill && openText(panel.skill, skillText(what, panel.skill)),
    };
  };
}

async function openLink(url: string): Promise<void> {
  const safe = httpsUrl(url);
  if (safe === undefined) return;
  await openInBrowser(vscode.l10n.t("Open this address in the browser?"), safe);
}
