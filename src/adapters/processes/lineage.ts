import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ProcessAbove, ProcessLineage } from '#ports/processes.js';

/** Maximum ancestors, more than any real process has. */
const MAX_ANCESTORS = 64;
/** First processes of containers and systems, and those that adopt orphans. */
const INITS = new Set(['systemd', 'init', 'launchd', 'tini', 'dumb-init', 'docker-init', 'catatonit', 'runit']);

/** Ancestors of a process from `/proc`: two small files for each. */
export function lineageFromProc(proc: string, self = process.pid): ProcessLineage | undefined {
  const own = statOf(proc, self);
  if (!own) return undefined;
  const line: ProcessAbove[] = [];
  let [pid, outside] = [self, false];
  for (let stat: ProcStat | undefined = own; stat && line.length < MAX_ANCESTORS; stat = statOf(proc, pid)) {
    line.push(aboveOf(proc, pid, stat));
    if (stat.parent === 0) outside = pid !== 1;
    pid = stat.parent;
  }
  const { session, group } = own;
  const leading = line.some((above) => above.pid === session) ? undefined : statOf(proc, session);
  return {
    line,
    ...(leading ? { leader: aboveOf(proc, session, leading) } : {}),
    group,
    session,
    fromOutside: outside,
  };
}

/**
 * Ancestors of a process from the output of `ps -axo pid=,ppid=,pgid=,lstart=,comm=`, which has no environment and no
 * session.
 */
export function lineageFromPs(text: string, self: number): ProcessLineage | undefined {
  const rows = new Map<number, { parent: number; group: number; start: string; name: string }>();
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/.exec(line);
    if (!match) continue;
    const [, pid, parent, group, start = '', name = ''] = match;
    rows.set(Number(pid), { parent: Number(parent), group: Number(group), start: start.split(/\s+/).join(' '), name });
  }
  const own = rows.get(self);
  if (!own) return undefined;
  const line: ProcessAbove[] = [];
  let pid = self;
  for (let row: typeof own | undefined = own; row && line.length < MAX_ANCESTORS; row = rows.get(pid)) {
    const { start, name, parent } = row;
    line.push({ pid, start, init: isInit(pid, path.posix.basename(name)) });
    if (parent < 1) break;
    pid = parent;
  }
  return { line, group: own.group, session: 0, fromOutside: false };
}

interface ProcStat {
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: string;
}

function statOf(proc: string, pid: number): ProcStat | undefined {
  const text = readOrNothing(`${proc}/${pid}/stat`);
  if (!text?.includes(')')) return undefined;
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    start: fields[19] ?? '',
  };
}

function aboveOf(proc: string, pid: number, { name, start }: ProcStat): ProcessAbove {
  const environment = readOrNothing(`${proc}/${pid}/environ`)?.split('\0');
  return { pid, start, init: isInit(pid, name), ...(environment ? { environment } : {}) };
}

function isInit(pid: number, name: string): boolean {
  return pid === 1 || INITS.has(name);
}

/** Text of a file of a process; undefined if the process has ended or belongs to another user. */
function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
