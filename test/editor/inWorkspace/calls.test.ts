import { describe } from "mocha";
import { invokesUsersRegistry } from "../invokesUsersRegistry";

describe("A workspace file that brings settings of ours", () => invokesUsersRegistry("workspace"));
