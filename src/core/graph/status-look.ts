import { STATUSES, type Status } from '#core/graph/task.js';

/** Displayed states: the statuses, with `ready` separate from an open task that still waits. */
export const SHOWN_STATES = [...STATUSES, 'ready'] as const;
export type ShownState = Status | 'ready';

export interface StatusLook {
  readonly glyph: string;
  /** Fallback for terminals and files without that glyph. */
  readonly ascii: string;
  /** Text colour on #FFFFFF and on #0F1217; both reach a contrast of 4.5 : 1. */
  readonly light: string;
  readonly dark: string;
  /** Label. For a task in progress with a live run, `running` is displayed instead. */
  readonly word: string;
}

/**
 * Whether a run works on a task in progress; `finishing`: it has recorded its result, which is being checked and
 * merged.
 */
export type Liveness = boolean | 'finishing';

/**
 * Label of a state. A task in progress is `running` if a run works on it, else `claimed`; a done task shows the result
 * of its `check` unless that passed.
 */
export function wordOf(state: ShownState, live: Liveness | undefined, check: string | undefined): string {
  if (state === 'done' && check !== undefined) return `${STATUS_LOOK.done.word} · ${check}`;
  if (state !== 'in-progress' || live === undefined) return STATUS_LOOK[state].word;
  return live === 'finishing' ? live : live ? 'running' : 'claimed';
}

/** State that determines the colour: done without a passed check is not green. */
export function toneOf(state: ShownState, check: string | undefined): ShownState {
  return state === 'done' && check !== undefined ? 'blocked' : state;
}

/** Appearance of each state; terminal, browser, Markdown and charts all use this table. */
export const STATUS_LOOK: Readonly<Record<ShownState, StatusLook>> = {
  open: { glyph: '○', ascii: '[ ]', light: '#5B6472', dark: '#9AA4B2', word: 'open' },
  ready: { glyph: '◎', ascii: '[.]', light: '#1D5FD1', dark: '#7FB0FF', word: 'ready' },
  'in-progress': { glyph: '◐', ascii: '[~]', light: '#8A5A00', dark: '#F0B84A', word: 'in progress' },
  waiting: { glyph: '◷', ascii: '[w]', light: '#6B3FC9', dark: '#B79BFF', word: 'waiting' },
  'pending-validation': { glyph: '◇', ascii: '[?]', light: '#B0246E', dark: '#FF8FC4', word: 'needs review' },
  done: { glyph: '●', ascii: '[x]', light: '#1C7A3D', dark: '#6FD08C', word: 'done' },
  failed: { glyph: '✕', ascii: '[!]', light: '#B3261E', dark: '#FF8A80', word: 'failed' },
  abandoned: { glyph: '⊘', ascii: '[-]', light: '#5B6472', dark: '#9AA4B2', word: 'abandoned' },
  blocked: { glyph: '■', ascii: '[#]', light: '#9A4A00', dark: '#FFB27A', word: 'blocked' },
};

/** Progress of an epic: `3 of 7 done`. */
export function progressText({ done, total }: { readonly done: number; readonly total: number }): string {
  return `${done} of ${total} done`;
}
