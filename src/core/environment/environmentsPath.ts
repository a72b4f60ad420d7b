import { reviewFolder } from "../review/files/reviewFiles";

/** The path of the environments in a folder of the workspace. */
export const environmentsPath = `${reviewFolder}/environments.json`;
