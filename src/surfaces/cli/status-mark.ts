import { type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
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
