import { dateFormat, numberFormat } from "../src/core/text/formats";
import "./styles/usagePage.css";
import { profileText } from "../src/core/invocation/profile";
import type { ProjectRecord, ProjectUsage } from "../src/core/invocation/usage/projectUsage";
import { countIn, type UsageGroup } from "../src/core/invocation/usage/usage";
import {
  daysOf,
  daysUntil,
  filteredUsage,
  maxDays,
  readUsageFilter,
  type UsageFilter,
} from "../src/core/invocation/usage/usageFilter";
import { localDay, momentText } from "../src/core/text/dates";
import type { Language } from "../src/core/text/language";
import type { SkillPage, UsagePart } from "../src/protocol/pageMessages";
import { plainButton } from "./buttons";
import { element, quietNote } from "./element";
import { connectToHost } from "./pageHost";
import type { UsageContext } from "./usage/chartSection";
import type { TableState } from "./usage/chartTable";
import { type ChartExport, type ExportMenu, exportMenu } from "./usage/exportMenu";
import { type FilterBar, filterBar } from "./usage/filterBar";
import { SkillColors } from "./usage/skillColors";
import { projectSections, usageSections } from "./usage/usageSections";

showUsage();

type UsageHead = Extract<SkillPage, { kind: "usage" }>;

/** A part of the record, read. */
type ReadUsage = Omit<UsagePart, "groups"> & { readonly groups: readonly UsageGroup[] };

/** The maximum share of time spent redrawing a record that changes constantly. */
const drawingShare = 1 / 4;

function showUsage(): void {
  const host = connectToHost();
  const root = document.getElementById("page") ?? document.body.appendChild(element("main", {}));
  const stored = host.kept() as { readonly usage?: unknown } | undefined;
  const colors = new SkillColors();
  const tables = new Map<string, TableState>();
  let filter = readUsageFilter(stored?.usage);
  let head: UsageHead | undefined;
  const language: Language = { locale: document.documentElement.lang || "en", t: host.t };
  let usage: ReadUsage | undefined;
  /** The range of days requested last. */
  let requestedDays = "";
  let bar: FilterBar | undefined;
  const exports: ExportMenu = exportMenu(language, host.send);
  let hasRequestedProject = false;
  let nextDrawing: number | undefined;
  let pauseUntil = 0;
  /** Reused on every redraw, so that screen readers announce its changes. */
  const cover = element("p", { class: "quiet", role: "status" });
  const content = element("div", { class: "usage" });

  function choose(change: Partial<UsageFilter>): void {
    filter = { ...filter, ...change };
    host.keep({ usage: filter });
    draw();
  }

  /** Redraws immediately, or after a pause if the last redraw was recent and slow. */
  function drawSoon(): void {
    if (nextDrawing !== undefined) return;
    const wait = pauseUntil - performance.now();
    const drawNow = () => host.afterPress(draw);
    if (wait <= 0) drawNow();
    else nextDrawing = window.setTimeout(drawNow, wait);
  }

  function draw(): void {
    clearTimeout(nextDrawing);
    nextDrawing = undefined;
    const start = performance.now();
    if (head === undefined) return;
    const { t } = language;
    const project = filter.source === "project" ? head.project : undefined;
    const firstDay = project === undefined ? firstDayOf(usage) : firstDayIn(project);
    const days = daysOf(filter, head.today, firstDay);
    const isKnown = hasDays(wantedDays(days, filter, head.today));
    if (usage === undefined) return;
    if (project !== undefined && !hasRequestedProject) {
      hasRequestedProject = true;
      host.send({ type: "readProject" });
    }
    if (bar === undefined) {
      bar = filterBar(language, choose);
      root.replaceChildren(
        element(
          "div",
          { class: "usage" },
          element("div", { class: "top" }, element("h1", {}, t("Usage")), exports.element),
          bar.element,
          cover,
          content,
        ),
      );
    }
    const isEmpty = usage.count === 0 && usage.problem === undefined && head.project === undefined;
    bar.element.hidden = isEmpty;
    const source = project === undefined ? "machine" : filter.source;
    const ofProject = project?.kind === "record" ? project.groups : [];
    const charted = source === "project" ? ofProject : usage.groups;
    colors.learn(usage.groups);
    colors.learn(ofProject);
    bar.update({
      filter: { ...filter, source },
      today: head.today,
      firstDay,
      groups: charted,
      project: head.project,
    });
    // Keeps the previous charts until the requested days arrive.
    if (source === "machine" && !isKnown) return;
    const focused = document.activeElement?.id ?? "";
    const charts: ChartExport[] = [];
    const { text, parts } = isEmpty
      ? emptyContent(language)
      : contentOf(head, usage, charted, days, project, charts);
    exports.update(charts);
    if (cover.textContent !== text) cover.textContent = text;
    content.replaceChildren(...parts);
    if (focused !== "" && document.activeElement?.id !== focused)
      document.getElementById(focused)?.focus();
    const end = performance.now();
    pauseUntil = end + (end - start) * (1 / drawingShare - 1);
  }

  /** Returns whether all these days are loaded. Requests them if not. */
  function hasDays(days: readonly string[]): boolean {
    const [from = "", to = ""] = [days[0], days.at(-1)];
    if (usage !== undefined && usage.from <= from && to <= usage.to) return true;
    if (requestedDays !== `${from} ${to}`) host.send({ type: "readUsage", from, to });
    requestedDays = `${from} ${to}`;
    return false;
  }

  function contentOf(
    { dailyLimitCents }: UsageHead,
    kept: ReadUsage,
    charted: readonly UsageGroup[],
    days: ReturnType<typeof daysOf>,
    project: ProjectUsage | undefined,
    charts: ChartExport[],
  ): Content {
    const { t } = language;
    if (project?.kind === "loading") return only(t("Reading the project…"));
    if (project?.kind === "none") return only(project.message);
    if (days === "missing") return only(t("Choose a first and a last day."));
    if (days === "reversed") return only(t("The last day is before the first."));
    if (days === "tooLong") return only(t("Choose at most {count} days.", { count: maxDays }));
    const width = Math.max(160, Math.min(1080, document.documentElement.clientWidth - 40));
    const context: UsageContext = {
      ...{ days, dailyLimitCents, colors, charts, tables, width, language },
      send: host.send,
    };
    if (project === undefined) {
      const shown = filteredUsage(charted, { ...filter, source: "machine" }, days);
      if (kept.problem !== undefined) return only(kept.problem);
      if (kept.count === 0) return emptyContent(language);
      const note = profilesNote(shown, language);
      return {
        text: coverText(kept, shown, language),
        parts: [...usageSections(shown, context), ...(note === "" ? [] : [quietNote(note)])],
      };
    }
    const shown = filteredUsage(charted, filter, days);
    const skills = project.skills.filter(
      ({ skill }) => filter.skill === "" || skill === filter.skill,
    );
    const missingFacts = t(
      "The registry returns neither the cost nor the caller of an invocation, and does not mark test runs.",
    );
    const notes = [missingFacts, project.note].filter((note) => note !== "");
    return {
      text: projectCoverText(project, shown, language),
      parts: [...notes.map((note) => quietNote(note)), ...projectSections(shown, skills, context)],
    };
  }

  function emptyContent({ t }: Language): Content {
    const text = t(
      "Nothing was invoked on this machine yet. Invoke a skill to see its cost and duration here.",
    );
    const open = () => host.send({ type: "openPayload" });
    const invoke = plainButton("plain", t("Open Payload"), open);
    return { text, parts: [element("div", { class: "nothing" }, invoke)] };
  }

  host.onPage((page) => {
    if (page.kind !== "usage") return;
    head = page;
    drawSoon();
  });
  host.onUsage((part: UsagePart) => {
    usage = { ...part, groups: JSON.parse(part.groups) };
    requestedDays = "";
    drawSoon();
  });
  let drawnWidth = document.documentElement.clientWidth;
  new ResizeObserver(() => {
    // Ignores changes of the height, which the content itself causes.
    if (document.documentElement.clientWidth === drawnWidth) return;
    drawnWidth = document.documentElement.clientWidth;
    requestAnimationFrame(draw);
  }).observe(document.documentElement);
}

/** Returns the first day of this machine's record; undefined if nothing is on it, or it is not read yet. */
function firstDayOf(usage: ReadUsage | undefined): string | undefined {
  return usage?.since === undefined ? undefined : localDay(usage.since);
}

/** Returns the first day of a project's record; undefined if nothing is on it. */
function firstDayIn(project: ProjectUsage): string | undefined {
  if (project.kind !== "record") return undefined;
  return project.groups.map(({ day }) => day).sort()[0];
}

/** Returns the days to read. The first day of this machine's record is known once it was read. */
function wantedDays(
  days: ReturnType<typeof daysOf>,
  { days: range }: UsageFilter,
  today: string,
): readonly string[] {
  if (range === "record") return daysUntil(today, maxDays);
  return typeof days === "string" ? daysUntil(today, 1) : days;
}

interface Content {
  readonly text: string;
  readonly parts: readonly HTMLElement[];
}

function only(text: string): Content {
  return { text, parts: [] };
}

/** Describes how much of the record exists and how much is shown. */
function coverText(
  { count, since }: ReadUsage,
  shown: readonly UsageGroup[],
  { t, locale }: Language,
): string {
  const number = numberFormat(locale);
  return t("{shown} of {all} invocations on the record of this machine, which begins on {day}.", {
    shown: number.format(countIn(shown)),
    all: number.format(count),
    day: dateFormat(locale, { dateStyle: "medium" }).format(since),
  });
}

/** Returns a note if the record comes from several editors and profiles, else an empty text. */
function profilesNote(shown: readonly UsageGroup[], language: Language): string {
  const profiles = [...new Set(shown.map(({ profile }) => profile))];
  if (profiles.length < 2) return "";
  return language.t("Made in {profiles}, which share the record of this machine.", {
    profiles: profiles.map((profile) => profileText(profile, language)).join(", "),
  });
}

/** Describes how much of a project's record the registry lists, when it was read, and how much is shown. */
function projectCoverText(
  { name, listed, isCut, readAt }: ProjectRecord,
  shown: readonly UsageGroup[],
  language: Language,
): string {
  const { t } = language;
  const values = { shown: countIn(shown), all: listed, name, time: momentText(readAt, language) };
  return isCut
    ? t(
        "{shown} of the newest {all} invocations in {name}, by anybody, as of {time}. The registry lists no older ones.",
        values,
      )
    : t("{shown} of all {all} invocations in {name}, by anybody, as of {time}.", values);
}
