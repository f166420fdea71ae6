import type { LaneRow } from '#core/roles/lane.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';

/** Call that a client is about to make, as reported to its hook. */
export interface HookCall {
  /** Subagent by the client's name for it; undefined if the call has none. */
  readonly subagent: string | undefined;
  readonly cwd: string | undefined;
  readonly session: string | undefined;
}

/** Parses the payload of a pre-tool hook. Errors: `bad_input`. */
export function parseHookCall(payload: string): HookCall {
  const data = parsed(payload);
  const input = isJsonObject(data) ? data['tool_input'] : undefined;
  if (!isJsonObject(data) || !isJsonObject(input)) throw unreadable('it has no `tool_input`');
  const subagent = input['subagent_type'];
  if (subagent !== undefined && typeof subagent !== 'string') throw unreadable('`subagent_type` is not text');
  const [cwd, session] = [data['cwd'], data['session_id']];
  return {
    subagent,
    cwd: typeof cwd === 'string' && cwd.startsWith('/') && !cwd.includes('\0') ? cwd : undefined,
    session: typeof session === 'string' && /^[\w-]{1,64}$/.test(session) ? session : undefined,
  };
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch (error) {
    throw unreadable(`it is not JSON: ${(error as Error).message}`);
  }
}

function unreadable(why: string): TroupeError {
  return new TroupeError('bad_input', {
    what: `The hook input of the client cannot be read: ${why}.`,
    hint: 'A client hook runs this and writes to its standard input.',
  });
}

/** Name of an agent without a `plugin:` prefix. */
const nameOf = (subagent: string): string => subagent.replace(/^[^:]*:/, '');

/**
 * Phase that a call begins, only by the name of the agent: `dev` or `dc-dev`, with an optional `plugin:` prefix.
 * Prompts and descriptions never count.
 */
export function phaseOfAgent(subagent: string, phases: readonly string[]): string | undefined {
  const name = nameOf(subagent);
  return phases.find((phase) => name === phase || name === `dc-${phase}`);
}

/** Whether a row could name this agent. A cheap test that usually avoids parsing the rows; a name may span lines. */
export function mayNameAgent(rows: string, subagent: string): boolean {
  return rows.includes(nameOf(subagent).split(/\s+/).at(-1) ?? '');
}

/** Name of the row, and thus phase, whose `subagent` is this agent. */
export function phaseOfRow(subagent: string, rows: readonly Pick<LaneRow, 'name' | 'fields'>[]): string | undefined {
  return rows.find(({ fields }) => fields.get('subagent') === nameOf(subagent))?.name;
}
