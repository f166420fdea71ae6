import { isRunName } from '#core/graph/run-name.js';
import { type Liveness, type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import type { Screen } from './screen.js';

const PAINT = {
  open: 'gray',
  ready: 'blue',
  'in-progress': 'yellow',
  waiting: 'magenta',
  'pending-validation': 'magenta',
  done: 'green',
  failed: 'red',
  abandoned: 'gray',
  blocked: 'yellow',
} as const satisfies Record<ShownState, string>;

/** The state as shown: `ready` is told apart from an open task that waits. Unknown words count as open. */
export function shownState(status: string, ready: boolean): ShownState {
  if (status === 'open' && ready) return 'ready';
  return status in STATUS_LOOK ? (status as ShownState) : 'open';
}

/** Glyph (or its ASCII form) and word, for instance `● done`; another word where it says more. */
export function stateMark(state: ShownState, screen: Screen, word: string = STATUS_LOOK[state].word): string {
  const look = STATUS_LOOK[state];
  return `${screen.unicode ? look.glyph : look.ascii} ${word}`;
}

export function paintState(text: string, state: ShownState, screen: Screen): string {
  return screen.colour[PAINT[state]](text);
}

/** A claimed task as it is said: `running` only where a run is at work on it. A person's claim is no run. */
export interface AtWork {
  readonly word: string;
  /** Its holder, that its run is gone, or that no service watches it. */
  readonly note: string;
}

/**
 * `holder` is who claimed it, `live` whether a run is at work on it, `watched` whether a service, or a run in the foreground,
 * answers.
 */
export function atWork(holder: string | undefined, live: Liveness, watched: boolean): AtWork {
  if (live === 'finishing') return { word: live, note: 'its work is checked and merged' };
  if (live) return { word: 'running', note: watched ? '' : 'no service is running' };
  if (holder === undefined) return { word: 'claimed', note: '' };
  if (!isRunName(holder)) return { word: 'claimed', note: `by ${holder}` };
  const help = watched ? '' : ': `troupe sweep` releases it';
  return { word: 'claimed', note: `by ${holder}, which is not running${help}` };
}
