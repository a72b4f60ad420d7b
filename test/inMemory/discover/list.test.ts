import { strict as assert } from "node:assert";
import { afterEach, before, describe, it } from "mocha";
import { useEditor } from "../useEditor";

describe("The Skills view of the built-in registry", () => {
  const editor = useEditor();
  before(() => editor.row("skills", /^Text statistics/));
  afterEach(async () => {
    await editor.run("clearFilters");
    await editor.run("viewAs", { order: "recommended", grouping: "none" });
  });

  const labels = async () => (await editor.view("skills")).rows.map(({ label }) => label);
  const message = async () => (await editor.view("skills")).message;
  /** Waits for a comparison page of this many skills, or of these skills. */
  const compared = (skills: number | string) =>
    editor.page(
      typeof skills === "string"
        ? `Compare: ${skills}`
        : new RegExp(`^Compare: ([\\w-]+, ){${skills - 1}}[\\w-]+$`),
    );
  /** Opens the search and types. Resolves once the results for the whole text are shown. */
  async function searchFor(text: string) {
    const searching = editor.run("search");
    const pick = await editor.pick("Text statistics");
    pick.type(text);
    await editor.pick(`List “${text}”`);
    return { pick, searching };
  }

  it("It redraws only if its rows have changed", async () => {
    const view = await editor.view("skills");
    const { redraws } = view;
    await editor.run("refresh");
    const before = view.text;
    await editor.run("viewAs", { order: "name" });
    await editor.until("another order", () => view.text !== before);
    assert.equal(view.redraws, redraws + 1);
  });

  it("A search while typing opens the chosen skill", async () => {
    const { pick, searching } = await searchFor("csv");
    assert.match(pick.text, /CSV profile.*verified · low permissions · data · free/);
    assert.doesNotMatch(pick.text, /Text statistics/);
    pick.accept();
    await searching;
    await editor.page("CSV profile");
  });

  it("A row of the search starts a payload", async () => {
    const { pick, searching } = await searchFor("csv prof");
    pick.pressInRow(/^CSV profile/, "Open Payload");
    await searching;
    await editor.until("a payload for csv-profile", () =>
      editor.parts.tabs.activeEditor?.document.fileName.endsWith("csv-profile.skill-input.json"),
    );
  });

  it("A row of the search is compared with another skill", async () => {
    const { pick, searching } = await searchFor("csv prof");
    pick.pressInRow(/^CSV profile/, "Compare with…");
    const comparing = await editor.pick(/^Compare csv-profile with…/);
    comparing.type("json diff");
    await editor.choose(/^JSON diff/);
    await searching;
    await compared("csv-profile, json-diff");
  });

  it("Filters of several values at once are counted and described", async () => {
    const filtering = editor.run("filter");
    const pick = await editor.pick(/submitted \| 1 skill(?!s)/);
    pick.choose(/^submitted/);
    pick.choose(/^deprecated/);
    pick.accept();
    await filtering;
    assert.equal((await labels()).length, 2);
    assert.match(await message(), /Showing: (deprecated or submitted|submitted or deprecated)/);
    assert.equal((await editor.view("skills")).description, "Built-in registry");
  });

  it("The search announces that the view lists only skills that pass its filters too", async () => {
    await editor.run("filter", { verification: "submitted" });
    assert.deepEqual(await labels(), ["Draft writer"]);
    const searching = editor.run("search");
    const pick = await editor.pick("List all skills that pass the filters in the Skills view");
    pick.type("csv");
    await editor.choose("List “csv” in the Skills view, with its filters");
    await searching;
    const view = await editor.view("skills");
    assert.match(view.description, /“csv” · submitted/);
    assert.match(
      editor.parts.commands.welcome(view.id),
      /^No skills match your search and filters/,
    );
  });

  it("Filters by price, publisher and tag explain which part the editor applies", async () => {
    await editor.run("filter", { billingModel: "subscription" });
    assert.deepEqual(await labels(), ["Market data"]);
    await editor.run("filter", { publisher: "Tidy Tables" });
    assert.deepEqual(await labels(), ["Format SQL", "CSV profile"]);
    assert.match(await message(), /Filtered by publisher locally/);
    await editor.run("filter", { tags: ["csv", "profiling"] });
    assert.deepEqual(await labels(), ["CSV profile"]);
    assert.match(await message(), /Showing: #csv #profiling/);
  });

  it("Filters are removed one at a time", async () => {
    const removeFilter = async (title: string) => {
      const removing = editor.run("removeFilter");
      await editor.choose(title);
      await removing;
    };
    await editor.run("search", "csv");
    await editor.run("filter", { verification: ["verified"], billingModel: ["free"] });
    assert.match(await message(), /Showing: “csv” · verified · free/);
    await removeFilter("free");
    assert.match(await message(), /Showing: “csv” · verified\./);
    await editor.run("removeFilter", { verification: "verified" });
    await removeFilter("“csv”");
    // Together with the group of practice skills.
    assert.equal((await labels()).length, 6);
  });

  it("Filters are saved, used again and deleted in one list", async () => {
    await editor.run("filter", { permissionProfile: "high" });
    await editor.run("viewAs", { grouping: "state" });
    const saving = editor.run("viewAs");
    await editor.choose("Save Active Filters As…");
    await editor.answer("Mighty ones");
    await saving;
    await editor.run("clearFilters");
    const again = editor.run("viewAs");
    await editor.choose("Save Active Filters As…");
    await editor.answer("Mighty ones");
    await editor.press("Replace the saved filters “Mighty ones”?", "Cancel");
    await again;
    await editor.run("viewAs", { grouping: "none" });
    assert.equal((await labels()).length, 6);
    const using = editor.run("viewAs");
    const pick = await editor.pick(/Mighty ones \| .*high permissions · grouped by/);
    pick.choose("Mighty ones");
    await using;
    await editor.row("skills", /^Verified 2 skills/);
    await editor.row("skills", "Rotate vault secrets");
    const deleting = editor.run("viewAs");
    const list = await editor.pick(/^View Skills As\n/);
    list.pressInRow(/^Mighty ones/, "Delete Saved Filters “Mighty ones”");
    await editor.until("no set", () => list.row(/^Mighty ones/) === undefined);
    list.hide();
    await deleting;
  });

  it("Skills are sorted and grouped as chosen, and the picker marks the current choice", async () => {
    const sorting = editor.run("viewAs");
    await editor.choose("Name");
    await sorting;
    const names = await labels();
    assert.deepEqual(names, names.toSorted());
    assert.equal(names.length, 12);
    assert.match(await message(), /Showing: by name/);
    const grouping = editor.run("viewAs");
    await editor.choose("Publisher");
    await grouping;
    await editor.row("skills", /^Tidy Tables 2 skills/);
    assert.match(await message(), /Showing: by name · grouped by publisher/);
    await editor.run("viewAs", { grouping: "none" });
    const [entry] = editor.parts.commands
      .menu("view/title", { view: "skillRegistry.skills" })
      .filter(([title]) => title === "View Skills As…");
    assert.ok(entry);
    const sortingAgain = editor.run(entry[1]);
    const marked = await editor.pick(/Low Risk/);
    assert.match(JSON.stringify(marked.row("Name")?.iconPath), /"check"/);
    marked.choose(/Recommended/);
    await sortingAgain;
    assert.doesNotMatch(await message(), /Showing:/);
  });

  it("Favorites come first", async () => {
    await editor.runOnRow("skills", "JSON diff", "Add to Favorites");
    assert.equal((await labels())[0], "JSON diff");
    await editor.run("removeFavorite", "json-diff");
    assert.equal((await labels())[0], "Text statistics");
  });

  it("A page shows one skill after another, until a double click keeps it", async () => {
    const pages = () => editor.parts.tabs.all.map(({ label }) => label);
    await editor.pressRow("skills", "JSON diff");
    await editor.page("JSON diff");
    await editor.pressRow("skills", "CSV profile");
    const page = await editor.page("CSV profile");
    assert.equal(pages().length, 1);
    await editor.pressRow("skills", "CSV profile");
    await editor.pressRow("skills", "JSON diff");
    await editor.page("JSON diff");
    assert.equal(pages().length, 2);
    await editor.pressRow("skills", "CSV profile");
    await page.shows("profiling");
    page.send({ type: "listByTag", tag: 2 });
    await editor.until("the tag among the filters", () =>
      editor.parts.trees.get("skillRegistry.skills")?.message.includes("#profiling"),
    );
  });

  it("A row copies slug, link and cURL from its menu", async () => {
    const copies = [
      ["Slug", /^sql-format$/],
      ["Link", /^http:\/\/127\.0\.0\.1:\d+\/v1\/skills\/sql-format$/],
      ["cURL", /^curl .*\/v1\/runtime\/invoke/],
    ] as const;
    for (const [form, expected] of copies) {
      const copied = editor.runOnRow("skills", /^Format SQL/, "Copy As…");
      await editor.choose(form);
      await copied;
      assert.match(editor.parts.machine.clipboard, expected);
    }
  });

  it("A tooltip describes a skill's verification and permissions", async () => {
    // Its permissions are known once it was read.
    await editor.run("openSkill", "vault-rotate");
    const page = await editor.page();
    await page.shows("Rotate vault secrets");
    await editor.run("viewAs", { order: "name" });
    const row = await editor.row("skills", "Rotate vault secrets");
    const tooltip = await (await editor.view("skills")).tooltip(row);
    assert.match(tooltip, /High permissions/);
    assert.match(tooltip, /Uses \d secrets? of the project/);
    assert.match(tooltip, /Verified/);
  });

  describe("Selected rows", () => {
    const select = async (...names: readonly string[]) => {
      const view = await editor.view("skills");
      view.select(...view.rows.filter(({ label }) => names.includes(label)));
    };
    const tabs = () => editor.parts.tabs.all;

    it("are compared from a row's menu, without the groups between them", async () => {
      await editor.run("viewAs", { grouping: "publisher" });
      await select("Format SQL", "Tidy Tables", "Text statistics");
      await editor.runOnRow("skills", "Text statistics", "Compare Skills…");
      await compared(2);
      await select("CSV profile", "Tidy Tables", "Format SQL", "Text statistics");
      await editor.runOnRow("skills", "Tidy Tables", "Compare Skills…");
      await compared(3);
    });

    it("are compared by the command from the palette", async () => {
      await select("CSV profile", "JSON diff", "Text statistics");
      await editor.runFromPalette("Skill Registry: Compare Skills…");
      await compared(3);
    });

    it("are copied up to twenty at once, and the rest is not reported as failed", async () => {
      const slugs = Array.from({ length: 21 }, () => "text-stats").map((slug, at) =>
        at === 0 ? slug : `no-such-skill-${at}`,
      );
      await editor.run("copyAsCurl", slugs[0], slugs);
      await editor.notification("Only the first 20 of 21 skills are copied at once.");
      await editor.notification("19 of 20 skills could not be copied.");
    });

    it("ask for another skill to compare if only one is selected", async () => {
      await select("CSV profile");
      const comparing = editor.runOnRow("skills", "CSV profile", "Compare Skills…");
      const pick = await editor.pick(/^Compare csv-profile with…[\s\S]*JSON diff/);
      pick.choose(/^JSON diff/);
      await comparing;
      await compared(2);
    });

    it("ask which four skills to compare if five are selected", async () => {
      await select(
        "CSV profile",
        "JSON diff",
        "Text statistics",
        "Format SQL",
        "Redact personal data",
      );
      const comparing = editor.runOnRow("skills", "JSON diff", "Compare Skills…");
      const all = await editor.pick(/at most 4 fit side by side[\s\S]*\[x\] redact-pii/);
      all.accept();
      await editor.until("another question", () => editor.parts.quickInputs.current !== all);
      const pick = await editor.pick(/at most 4 fit side by side[\s\S]*\[x\] redact-pii/);
      pick.choose("redact-pii");
      pick.accept();
      await comparing;
      await compared(4);
    });

    it("are copied and marked together", async () => {
      await select("CSV profile", "JSON diff");
      const both = async (entry: string) => {
        await editor.runOnRow("skills", "CSV profile", entry);
        return editor.parts.machine.clipboard;
      };
      const bothAs = async (form: string) => {
        const copied = both("Copy As…");
        await editor.choose(form);
        return copied;
      };
      assert.deepEqual((await bothAs("Slug")).split("\n").toSorted(), ["csv-profile", "json-diff"]);
      const links = (await bothAs("Link")).split("\n");
      assert.deepEqual(links.map((link) => link.replace(/.*\//, "")).toSorted(), [
        "csv-profile",
        "json-diff",
      ]);
      assert.equal((await bothAs("cURL")).match(/"skillSlug":\s*"/g)?.length, 2);
      await both("Add to Favorites");
      assert.deepEqual((await labels()).slice(0, 2).toSorted(), ["CSV profile", "JSON diff"]);
      await select("CSV profile", "JSON diff");
      await both("Remove from Favorites");
      assert.equal((await labels())[0], "Text statistics");
    });

    it("are opened together, while a command for one skill applies to its own row", async () => {
      await select("CSV profile", "JSON diff");
      await editor.runOnRow("skills", "CSV profile", "Open Skill");
      assert.equal(tabs().length, 2);
      await editor.runOnRow("skills", "JSON diff", "Open Payload");
      assert.ok(editor.document.fileName.endsWith("json-diff.skill-input.json"));
      assert.equal(tabs().length, 3);
    });

    it("leave an unselected row its commands, which apply to that row only", async () => {
      await select("CSV profile", "JSON diff");
      await editor.runOnRow("skills", "Text statistics", "Open Skill");
      await editor.page("Text statistics");
      assert.equal(tabs().length, 1);
      const copied = editor.runOnRow("skills", /^Format SQL/, "Copy As…");
      await editor.choose("Slug");
      await copied;
      assert.equal(editor.parts.machine.clipboard, "sql-format");
    });

    it("are opened only after a question if they are many", async () => {
      await editor.run("viewAs", { order: "name" });
      const view = await editor.view("skills");
      view.select(...view.rows);
      const opening = editor.runOnRow("skills", "CSV profile", "Open Skill");
      (await editor.dialog("Open the pages of 12 skills?")).press("Cancel");
      await opening;
      assert.deepEqual(tabs(), []);
    });
  });

  it("Another registry is chosen from a list, to which Back returns from the box for an address", async () => {
    const connecting = editor.run("connect");
    await editor.choose("Enter Registry Address…");
    (await editor.input("Address of the registry")).pressButton("Back");
    (await editor.pick("Enter Registry Address…")).type("https://user:secret@registry.example");
    await editor.choose(/^Connect to/);
    const box = await editor.input();
    assert.match(box.value, /registry\.example/);
    box.pressButton("Back");
    await editor.choose(/^Built-in/);
    await connecting;
    await editor.row("skills", /^Text statistics/);
  });
});
