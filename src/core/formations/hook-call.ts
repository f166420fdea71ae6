import type { LaneRow } from '#core/lanes/lane.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';

/** What a client says of a call that it is about to make. */
export interface HookCall {
  /** Whom it is for, as the client names it; undefined when the call is for nobody in particular. */
  readonly subagent: string | undefined;
  readonly cwd: string | undefined;
  readonly session: string | undefined;
}

/** Reads the payload of a hook that runs before a tool. `bad_input` for what is none. */
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
    what: 'The hook input of the client cannot be read.',
    why,
    hint: 'A client hook runs this and writes to its standard input.',
  });
}

/** The name that a client gives an agent, without the `plugin:` in front. */
const nameOf = (subagent: string): string => subagent.replace(/^[^:]*:/, '');

/**
 * The phase that a call begins, by the name of the agent alone: `dev` or `dc-dev`, each after an optional `plugin:`. What is said in
 * prompts and descriptions never counts.
 */
export function phaseOfAgent(subagent: string, phases: readonly string[]): string | undefined {
  const name = nameOf(subagent);
  return phases.find((phase) => name === phase || name === `dc-${phase}`);
}

/** Could a row name this agent? Tells most of the time that none does, without reading them; a name may go on over lines. */
export function mayNameAgent(rows: string, subagent: string): boolean {
  return rows.includes(nameOf(subagent).split(/\s+/).at(-1) ?? '');
}

/** The phase of the row that names this agent as its `subagent`. */
export function phaseOfRow(subagent: string, rows: readonly Pick<LaneRow, 'name' | 'fields'>[]): string | undefined {
  return rows.find(({ fields }) => fields.get('subagent') === nameOf(subagent))?.name;
}
