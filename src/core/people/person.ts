/** Somebody who does tasks and is no program. */
export interface Person {
  readonly name: string;
  /** How they are told; undefined for who is told by nobody and looks for themselves. */
  readonly channel?: 'email' | 'matrix';
  /** Where the channel reaches them. */
  readonly contact?: string;
}

/** What is known of whoever tasks are given to. `executor` names how; `human` says that a custom one is a person. */
export interface Assignee {
  readonly name: string;
  readonly executor: string;
  readonly contact?: string | undefined;
  readonly human?: boolean | undefined;
}

/** The person behind an agent; undefined where a program does the work. */
export function personOf({ name, executor, contact, human }: Assignee): Person | undefined {
  const named = /^agent-\d+$/.test(name) ? `person ${name}` : name; // so are runs called
  if (executor === 'email' || executor === 'matrix')
    return { name: named, channel: executor, ...(contact === undefined ? {} : { contact }) };
  if (human !== true) return undefined;
  const channel = channelOf(contact);
  return { name: named, ...(channel === undefined || contact === undefined ? {} : { channel, contact }) };
}

function channelOf(contact = ''): Person['channel'] {
  if (/^@[^\s:]+:\S+$/.test(contact)) return 'matrix';
  return /^[^\s@]+@[^\s@]+$/.test(contact) ? 'email' : undefined;
}
