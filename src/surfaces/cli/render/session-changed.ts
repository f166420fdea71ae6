import type { Session } from '#core/coordinator/sessions.js';
import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { stateOf } from './session-list.js';

export const render: Renderer<Session> = (session, screen) => {
  screen.line(`Session ${session.id} (${inert(session.name)}): ${stateOf(session)}.`);
};
