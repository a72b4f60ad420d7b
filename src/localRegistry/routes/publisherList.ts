import { catalogue } from "../catalogue/catalogue";
import { publishers } from "../catalogue/publishers";

/** Lists the publishers with their numbers and skills. */
export function publisherList() {
  return publishers.map(({ supportUrl: _, ...publisher }) => {
    const skills = catalogue.filter((skill) => skill.publisher === publisher.slug);
    return {
      ...publisher,
      metrics: {
        skillCount: skills.length,
        installCount: sum(skills.map(({ numbers }) => numbers.installCount)),
        invocationCount: sum(skills.map(({ numbers }) => numbers.invocationCount)),
      },
      skills: skills.map(({ slug, displayName, releases, verificationStatus }) => ({
        slug,
        displayName,
        version: releases[0].version,
        verificationStatus,
      })),
    };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
