import { createDemoProject } from "./demoProject";
import { InvocationLog } from "./invocationLog";
import { digestOf, type KeptKey, type Project } from "./project";

/** Everything the registry keeps in memory: the projects of its one organization. */
export class Workspace {
  readonly projects = new Map<string, Project>();
  readonly log = new InvocationLog();

  /** `now` is the time in milliseconds since 1970, `projectKey` the first key of the demo project. */
  constructor(
    readonly now: () => number,
    projectKey?: string,
  ) {
    const demo = createDemoProject(now());
    this.projects.set(demo.slug, demo);
    this.projectKey = demo.addKey("Built-in key", now(), projectKey).key;
  }

  /** The key that the registry prints and hands to the extension. */
  readonly projectKey: string;

  /** Finds whose Project Key a token is; undefined for one that is unknown or revoked. */
  findKey(token: string): { readonly project: Project; readonly key: KeptKey } | undefined {
    const digest = digestOf(token);
    for (const project of this.projects.values()) {
      const key = project.keys.find((one) => one.digest === digest && one.revokedAt === null);
      if (key !== undefined) return { project, key };
    }
    return undefined;
  }
}
