import type { Step } from "./step";

/** The demo, in order. */
export const steps: readonly Step[] = [
  {
    name: "open-the-view",
    act: (screen) => screen.openContainer("Skill Registry"),
    see: async (screen) => {
      await screen.page.locator(".sidebar .title", { hasText: "Skill Registry" }).waitFor();
      return "The Skill Registry view is open.";
    },
  },
];
