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

/** Displayed state of a task: `ready` for an open task that can start. Unknown statuses count as `open`. */
export function shownState(status: string, ready: boolean): ShownState {
  if (status === 'open' && ready) return 'ready';
  return status in STATUS_LOOK ? (status as ShownState) : 'open';
}

/** Returns glyph (or its ASCII form) and word, for instance `● done`. `word` replaces the default word of the state. */
export function stateMark(state: ShownState, screen: Screen, word: string = STATUS_LOOK[state].word): string {
  const look = STATUS_LOOK[state];
  return `${screen.unicode ? look.glyph : look.ascii} ${word}`;
}

export function paintState(text: string, state: ShownState, screen: Screen): string {
  return screen.colour[PAINT[state]](text);
}

/** Display of a task in progress: `running` only while a run works on it, otherwise `claimed`. */
export interface AtWork {
  readonly word: string;
  /** Holder of the claim, or a warning that its run is gone or no service is running. */
  readonly note: string;
}

/**
 * Word and note for a task in progress. `holder`: the run or person with the claim; `live`: liveness of its run;
 * `watched`: whether a service or a foreground run answers.
 */
export function atWork(holder: string | undefined, live: Liveness, watched: boolean): AtWork {
  if (live === 'finishing') return { word: live, note: 'its work is checked and merged' };
  if (live) return { word: 'running', note: watched ? '' : 'no service is running' };
  if (holder === undefined) return { word: 'claimed', note: '' };
  if (!isRunName(holder)) return { word: 'claimed', note: `by ${holder}` };
  const help = watched ? '' : ': `troupe sweep` releases it';
  return { word: 'claimed', note: `by ${holder}, which is not running${help}` };
}
