import type * as vscode from "vscode";
import type { PayloadBindings } from "../author/payloadBindings";
import type { PayloadChecks } from "../author/payloadChecks";
import type { SchemaDocuments } from "../author/payloadDiagnostics";
import type { SkillSource } from "../discover/pickSkill";
import type { WindowPlace } from "../environments/windowPlace";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import type { SkillDetails } from "../inspect/skillDetails";
import type { CommandHandlers } from "../registerCommands";
import type { SkillFiles } from "../skillFiles";
import type { Register } from "../ui/owner";
import type { LazyTestController } from "./lazyTestController";
import { CaseNames } from "./names/caseNames";
import { OrphanedOutputs } from "./names/orphanedOutputs";
import { PayloadFiles } from "./names/payloadFiles";
import { ValueNames } from "./names/valueNames";
import { PayloadTests } from "./payloadTests";
import { type SuiteCommandsParts, suiteCommands } from "./saveAsTest";
import { SkillTests } from "./skillTests";
import type { StartCases } from "./suiteCases";
import { SuiteChecks } from "./suiteChecks";
import { SuiteSkills } from "./suiteSkills";
import { acceptOutput, runSuite, SuiteTests, storeMissingOutput } from "./suiteTests";
import { SkillItems } from "./testItems";

/** The dependencies of suites and the Test Explorer. */
interface SuiteSources extends Omit<SuiteCommandsParts, "sample"> {
  readonly bindings: PayloadBindings;
  readonly checks: PayloadChecks;
  readonly environments: WorkspaceEnvironments;
  readonly startCases: StartCases;
  readonly place: Pick<WindowPlace, "address" | "environment">;
  readonly explorer: Pick<LazyTestController, "runSuite">;
  readonly register: Register;
}

/** Builds the commands for suites, and the contents of the Test Explorer's entry. */
export function startSuites(sources: SuiteSources) {
  const { explorer, checks, register } = sources;
  let filled: SkillTests | undefined;
  const commands = {
    runSuite: (argument) => runSuite(explorer, argument),
    acceptOutput: (argument) => acceptOutput(filled?.suites, argument),
    storeOutput: (argument) => storeMissingOutput(filled, argument),
    ...suiteCommands({ ...sources, sample: checks.sample }),
  } satisfies Partial<CommandHandlers>;
  return {
    commands,
    /** Returns the contents of the Test Explorer, the same object at each call. */
    tests: (controller: vscode.TestController): SkillTests => {
      if (filled !== undefined) return filled;
      const items = new SkillItems(controller);
      filled = new SkillTests(
        controller,
        register(new PayloadTests(controller, items, sources)),
        register(new SuiteTests(controller, items, sources)),
        sources.files,
      );
      return filled;
    },
  };
}

/** The dependencies of what the editor knows about suite files. */
interface SuiteFileSources {
  readonly register: Register;
  readonly source: SkillSource;
  readonly details: SkillDetails;
  readonly environments: WorkspaceEnvironments;
  readonly bindings: PayloadBindings;
  readonly files: SkillFiles;
}

/**
 * Builds completion, names and findings of suite files. Returns the function that checks the payloads in suites with the
 * given checks.
 */
export function startSuiteFiles(sources: SuiteFileSources) {
  const { register, source, details, environments } = sources;
  register(new SuiteSkills(source));
  register(new CaseNames());
  register(new OrphanedOutputs());
  register(new PayloadFiles());
  register(new ValueNames(sources));
  return (checks: PayloadChecks, schemas: SchemaDocuments) =>
    register(new SuiteChecks(checks, details, schemas, environments));
}
