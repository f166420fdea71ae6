import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { stateOf } from './session-list.js';

export const render: Renderer<
  'session.create' | 'session.stop' | 'session.archive' | 'session.pause' | 'session.resume'
> = (session, screen) => {
  screen.line(`Session ${session.id} (${inert(session.name)}): ${stateOf(session)}.`);
};
