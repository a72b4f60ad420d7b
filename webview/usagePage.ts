import "./styles/usagePage.css";
import { withEstimates } from "../src/core/invocation/record/usage";
import {
  type ChartedRecord,
  filteredUsage,
  readUsageFilter,
  recordsOfSlice,
  type UsageFilter,
} from "../src/core/invocation/usage/usageSlices";
import { type Language, translateWith } from "../src/core/text/language";
import type { SkillPage, SkillPageSnapshot, UsagePart } from "../src/protocol/pageMessages";
import { element } from "./element";
import { connectedHost } from "./pageHost";
import { filterBar } from "./usage/filterBar";
import { usageSections } from "./usage/usageSections";

showUsage();

type UsageHead = Extract<SkillPage, { kind: "usage" }>;

// Shows what invocations came to, anew with every change of the record, the filter and the page's width.
function showUsage(): void {
  const host = connectedHost();
  const root = document.getElementById("page") ?? document.body.appendChild(element("main", {}));
  const kept = host.kept() as { readonly usage?: unknown } | undefined;
  let filter = readUsageFilter(kept?.usage);
  let head: UsageHead | undefined;
  let language: Language = { locale: "en", t: translateWith({}) };
  let coming: ChartedRecord[] = [];
  let records: readonly ChartedRecord[] | undefined;

  function draw(): void {
    if (head === undefined || records === undefined) return;
    const { t } = language;
    const choose = (chosen: UsageFilter) => {
      filter = chosen;
      host.keep({ usage: filter });
      draw();
    };
    const open = openParts(root);
    const focused = document.activeElement?.id ?? "";
    const shown = filteredUsage(records, filter, head.today);
    const width = Math.max(240, Math.min(1080, document.documentElement.clientWidth - 40));
    root.replaceChildren(
      element(
        "div",
        { class: "usage" },
        element("h1", {}, t("Usage")),
        ...(records.length === 0
          ? [emptyView(language)]
          : [
              filterBar(records, filter, language, choose),
              element("p", { class: "quiet", role: "status" }, coverText(records, shown, language)),
              ...usageSections(shown, { ...head, filter, width, language, send: host.send }),
            ]),
      ),
    );
    for (const part of root.querySelectorAll("details")) part.open = open.has(part.id);
    if (focused !== "") document.getElementById(focused)?.focus();
  }

  function emptyView({ t }: Language): HTMLElement {
    const invoke = element("button", { type: "button", class: "plain" }, t("Open Payload"));
    invoke.addEventListener("click", () => host.send({ type: "openPayload" }));
    return element(
      "div",
      { class: "nothing" },
      element(
        "p",
        {},
        t(
          "Nothing was invoked on this machine yet. Invoke a skill to see its cost and duration here.",
        ),
      ),
      invoke,
    );
  }

  host.onSnapshot(({ page, words }: SkillPageSnapshot) => {
    if (page.kind !== "usage") return;
    head = page;
    language = { locale: document.documentElement.lang || "en", t: translateWith(words) };
  });
  host.onUsage(({ slice, isFirst, isLast }: UsagePart) => {
    if (isFirst) coming = [];
    for (const record of recordsOfSlice(slice)) coming.push(record);
    if (!isLast) return;
    records = [...withEstimates(coming)];
    draw();
  });
  let drawnWidth = document.documentElement.clientWidth;
  new ResizeObserver(() => {
    // The page's height changes with what it shows.
    if (document.documentElement.clientWidth === drawnWidth) return;
    drawnWidth = document.documentElement.clientWidth;
    requestAnimationFrame(draw);
  }).observe(document.documentElement);
}

/** Says how much of the record there is, and how much of it is shown. */
function coverText(
  records: readonly ChartedRecord[],
  shown: readonly ChartedRecord[],
  { t, locale }: Language,
): string {
  const number = new Intl.NumberFormat(locale);
  const oldest = records.reduce((first, { startedAt }) => Math.min(first, startedAt), Infinity);
  return t("{shown} of {all} invocations on the record of this machine, which begins on {day}.", {
    shown: number.format(shown.length),
    all: number.format(records.length),
    day: new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(oldest),
  });
}

function openParts(root: HTMLElement): ReadonlySet<string> {
  return new Set([...root.querySelectorAll("details[open]")].map(({ id }) => id));
}
