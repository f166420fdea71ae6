import type { CONTEXT_SCOPES, EXEC_MODES } from '#core/graph/task.js';
import type { PromptPart } from '#core/lanes/prompt-parts.js';
import type { Briefing } from '#core/memory/memory.js';
import type { Wording } from './prompt-wording.js';
import type { ReportWay } from './report-way.js';

/** How much an attempt is told; each tells all that the one before it tells, in the same words. */
export type Scope = (typeof CONTEXT_SCOPES)[number];
/** What its client may do. Nobody reads the prompt of a task in mode `shell`. */
export type ExecMode = (typeof EXEC_MODES)[number];

/** A skill as a role names it. */
export type PromptSkill =
  | { readonly name: string }
  | { readonly file: string }
  | { readonly url: string }
  | { readonly inline: string };

/** A skill of a role after somebody looked for its text: a label alone, a text, or a warning instead of it. */
export interface ResolvedSkill {
  readonly kind: 'name' | 'file' | 'url' | 'inline';
  /** The label, the path or the address as the role has it; undefined for a text that stands in the role itself. */
  readonly source?: string;
  readonly text?: string;
  /** Why there is no text. */
  readonly warning?: string;
}

/** Who does the task. */
export interface Identity {
  readonly role?: { readonly name: string; readonly description?: string; readonly outcome?: string };
  readonly tradeoff?: {
    readonly description?: string;
    readonly acceptable: readonly string[];
    readonly unacceptable: readonly string[];
  };
  readonly member?: { readonly name: string; readonly charter?: string };
  /** An agent of a configuration: its place there, and the text of its agent file. */
  readonly agent?: {
    readonly name: string;
    readonly id: string;
    readonly does: string;
    readonly about: string | undefined;
    readonly file: string | undefined;
  };
}

export interface PromptMessage {
  readonly from: string;
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
  readonly urgent?: boolean;
  /** The sender waits for an answer in the conversation that the text names. */
  readonly asks?: boolean;
}

/** The team a task is for, as the member sees it whose task it is. */
export interface TeamFacts {
  readonly id: string;
  readonly name: string;
  /** The member, and what it is on the team. */
  readonly member: string;
  readonly position: string;
  /** A line each. */
  readonly others: readonly string[];
  /** The plan in force; undefined where there is none, or none is needed. */
  readonly strategy: PromptStrategy | undefined;
  /** What the member is to be told, in order. */
  readonly mail: readonly PromptMessage[];
}

export interface PromptStrategy {
  /** The same bytes for every member. */
  readonly text: string;
  readonly sha256: string;
  /** What is the member's own, a line each. */
  readonly part: readonly string[];
  readonly guardrails: readonly string[];
}

/** Who asked for the task in a conversation, and what. */
export interface PromptConversation {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** What they left of their own work. */
  readonly checkpoint: string | undefined;
}

/** Somebody who may be written to. */
export interface PromptAddress {
  readonly name: string;
  readonly id: string;
  readonly about: string;
}

/** Everything a prompt needs that the graph does not hold. */
export interface PromptFacts {
  readonly scope: Scope;
  readonly mode: ExecMode;
  /** The number of the attempt. */
  readonly attempt: number;
  /** Fresh random text: what marks foreign text off from ours. */
  readonly nonce: string;
  readonly wording: Wording;
  /** How the agent calls this program. */
  readonly program: string;
  /** The one way in which it reports. */
  readonly report: ReportWay;
  /** Can it commit in its shell, or only by a tool of ours? */
  readonly commits: 'shell' | 'tool';
  /** Whose files it works on: a worktree of its own, a folder that others share, or one without a repository. */
  readonly tree: 'own' | 'shared' | 'none';
  /** What the files there lack, a sentence each. */
  readonly lacks?: readonly string[] | undefined;
  /** May it add tasks? */
  readonly mayAdd: boolean;
  readonly identity?: Identity | undefined;
  /** What the role of the repository brings that the attempt works as: identity, own row, lessons. */
  readonly role?: { readonly parts: readonly PromptPart[]; readonly alone: boolean } | undefined;
  readonly skills?: readonly ResolvedSkill[] | undefined;
  /** What evaluations say of predecessors that failed, and of earlier attempts at the task itself, by task. */
  readonly evaluations?: ReadonlyMap<string, readonly string[]> | undefined;
  /** What was found out about an attempt that died. */
  readonly recovery?: string | undefined;
  /** Work of an earlier attempt that did not fit what was merged meanwhile: its branch, and what it changed. */
  readonly conflict?: { readonly branch: string; readonly diff: string } | undefined;
  /** Of a seat of a formation: its run, and the names of the files it hands in. */
  readonly handsIn?: { readonly run: string; readonly names: readonly string[] } | undefined;
  /** Work that the task is there to judge, and what it changed. */
  readonly judged?: readonly { readonly task: string; readonly changes: string }[] | undefined;
  readonly messages?: readonly PromptMessage[] | undefined;
  readonly team?: TeamFacts | undefined;
  readonly conversation?: PromptConversation | undefined;
  readonly roster?: readonly PromptAddress[] | undefined;
  /** What the team remembers, as far as whoever works here is told. */
  readonly memory?: Briefing | undefined;
  readonly functions?: readonly { readonly id: string; readonly description?: string }[] | undefined;
  readonly project?: { readonly name?: string | undefined; readonly description?: string | undefined } | undefined;
  /** The text of `context.md`. */
  readonly context?: string | undefined;
  /** What the project tells agents from its top, by the file it stands in. */
  readonly rules?: readonly { readonly file: string; readonly text: string }[] | undefined;
}
