import type { CONTEXT_SCOPES, EXEC_MODES } from '#core/graph/task.js';
import type { PromptPart } from '#core/roles/prompt-parts.js';
import type { Briefing } from '#core/squad/memory.js';
import type { Wording } from './prompt-wording.js';
import type { ReportWay } from './report-way.js';

/** Amount of context in a prompt; each scope contains the sections of the one before it, unchanged. */
export type Scope = (typeof CONTEXT_SCOPES)[number];
/** Permission profile of its client. In mode `shell` there is no client to read the prompt. */
export type ExecMode = (typeof EXEC_MODES)[number];

/** A skill as a role specifies it. */
export type PromptSkill =
  | { readonly name: string }
  | { readonly file: string }
  | { readonly url: string }
  | { readonly inline: string };

/** A skill of a role after its text was looked up: a label alone, a text, or a warning in place of a text. */
export interface ResolvedSkill {
  readonly kind: 'name' | 'file' | 'url' | 'inline';
  /** Label, path or address; undefined for a text inside the role itself. */
  readonly source?: string;
  readonly text?: string;
  /** Reason why there is no text. */
  readonly warning?: string;
}

/** Identity of the agent that does the task. */
export interface Identity {
  readonly role?: { readonly name: string; readonly description?: string; readonly outcome?: string };
  readonly tradeoff?: {
    readonly description?: string;
    readonly acceptable: readonly string[];
    readonly unacceptable: readonly string[];
  };
  readonly member?: { readonly name: string; readonly charter?: string };
  /** An agent of a configuration: its position, and the text of its agent file. */
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
  /** The sender waits for an answer in the conversation named in the text. */
  readonly asks?: boolean;
}

/** The team of a task, from the point of view of its member. */
export interface TeamFacts {
  readonly id: string;
  readonly name: string;
  /** The member and its position on the team. */
  readonly member: string;
  readonly position: string;
  /** One line each. */
  readonly others: readonly string[];
  /** The strategy in force; undefined if there is none or none is needed. */
  readonly strategy: PromptStrategy | undefined;
  /** Messages to the member, in order. */
  readonly mail: readonly PromptMessage[];
}

export interface PromptStrategy {
  /** Identical for every member. */
  readonly text: string;
  readonly sha256: string;
  /** The member's own part, one line each. */
  readonly part: readonly string[];
  readonly guardrails: readonly string[];
}

/** The request that opened the task's conversation, and its sender. */
export interface PromptConversation {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** Checkpoint of the requester's own work. */
  readonly checkpoint: string | undefined;
}

/** An agent that may be addressed. */
export interface PromptAddress {
  readonly name: string;
  readonly id: string;
  readonly about: string;
}

/** Input of a prompt that is not in the graph. */
export interface PromptFacts {
  readonly scope: Scope;
  readonly mode: ExecMode;
  /** Number of the attempt. */
  readonly attempt: number;
  /** Fresh random text that delimits foreign text. */
  readonly nonce: string;
  readonly wording: Wording;
  /** Command with which the agent calls this program. */
  readonly program: string;
  readonly report: ReportWay;
  /** Whether it can commit in its shell, or only through a tool of Troupe. */
  readonly commits: 'shell' | 'tool';
  /** Its working files: a worktree of its own, a shared folder, or a folder without a repository. */
  readonly tree: 'own' | 'shared' | 'none';
  /** Files missing there, one sentence each. */
  readonly lacks?: readonly string[] | undefined;
  /** Whether it may add tasks. */
  readonly mayAdd: boolean;
  readonly identity?: Identity | undefined;
  /** Parts of its repository role: identity, own row, lessons. */
  readonly role?: { readonly parts: readonly PromptPart[]; readonly alone: boolean } | undefined;
  readonly skills?: readonly ResolvedSkill[] | undefined;
  /** Evaluation notes about failed predecessors and earlier attempts at the task, by task id. */
  readonly evaluations?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Findings about an attempt that died. */
  readonly recovery?: string | undefined;
  /** Work of an earlier attempt that conflicted with merged work: its branch and its diff. */
  readonly conflict?: { readonly branch: string; readonly diff: string } | undefined;
  /** For a seat of a formation: its run, and the names of the files to hand in. */
  readonly handsIn?: { readonly run: string; readonly names: readonly string[] } | undefined;
  /** Work that the task has to judge, with its changes. */
  readonly judged?: readonly { readonly task: string; readonly changes: string }[] | undefined;
  readonly messages?: readonly PromptMessage[] | undefined;
  readonly team?: TeamFacts | undefined;
  readonly conversation?: PromptConversation | undefined;
  readonly roster?: readonly PromptAddress[] | undefined;
  /** Team memory, as far as this agent may see it. */
  readonly memory?: Briefing | undefined;
  readonly functions?: readonly { readonly id: string; readonly description?: string }[] | undefined;
  readonly project?: { readonly name?: string | undefined; readonly description?: string | undefined } | undefined;
  /** The text of `context.md`. */
  readonly context?: string | undefined;
  /** The project's rules for agents, by file. */
  readonly rules?: readonly { readonly file: string; readonly text: string }[] | undefined;
}
