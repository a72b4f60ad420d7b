import type * as vscode from "vscode";
import type { Board } from "../screen/board";
import type { Documents } from "../screen/documents";
import type { Files } from "../screen/files";
import type { Notice, Progress, QuickInputs } from "../screen/questions";
import type { Tabs } from "../screen/tabs";
import type { Channel, MemoryTree, StatusBar } from "../screen/views";
import type { Commands } from "./commands";
import type { Settings } from "./configuration";
import type { Languages } from "./languages";
import type { Machine, TerminalVariables } from "./machine";
import type { MemoryController } from "./testing";
import type { EventEmitter } from "./values";

/** The parts of an editor in memory. */
export interface Parts {
  readonly board: Board;
  readonly machine: Machine;
  readonly files: Files;
  readonly documents: Documents;
  readonly tabs: Tabs;
  readonly languages: Languages;
  readonly settings: Settings;
  readonly quickInputs: QuickInputs;
  readonly statusBar: StatusBar;
  readonly commands: Commands;
  readonly trees: Map<string, MemoryTree>;
  readonly channels: Channel[];
  readonly controllers: Map<string, MemoryController>;
  readonly serializers: Map<string, vscode.WebviewPanelSerializer>;
  readonly accounts: Map<string, vscode.AuthenticationProvider>;
  /** The tools that agents can call, by name. */
  readonly tools: Map<string, vscode.LanguageModelTool<unknown>>;
  /** The addresses that were opened outside of the editor. */
  readonly openedOutside: string[];
  readonly windowStateChanged: EventEmitter<vscode.WindowState>;
  readonly foldersChanged: EventEmitter<vscode.WorkspaceFoldersChangeEvent>;
  readonly trusted: EventEmitter<void>;
  readonly terminalOpened: EventEmitter<vscode.Terminal>;
  readonly variables: TerminalVariables;
  readonly language: string;
  /** The translations; undefined in English. */
  readonly words: Readonly<Record<string, string>> | undefined;
  /** The dialogs and notifications that are open, in the order in which they came. */
  notices: readonly Notice[];
  /** The progress notifications. */
  progresses: readonly Progress[];
  uriHandler: vscode.UriHandler | undefined;
  terminalLinks: vscode.TerminalLinkProvider | undefined;
  isFocused: boolean;
  isTrusted: boolean;
  /** Opens the dialog for saving as a file. */
  askForFile(title: string, suggested: vscode.Uri | undefined): Promise<vscode.Uri | undefined>;
}
