import { type EvolutionReport, reportOf } from '#core/agency/report.js';
import { type WaitingOperation, waitingOf } from '#core/agency/waiting-proposals.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import { loadAgency } from '#operations/load-agency.js';
import type { Context } from '#operations/operation.js';

interface ReadRecords<One> {
  /** Newest first. */
  readonly all: readonly One[];
  readonly warnings: readonly string[];
}

/** Reports of all runs. `locked`: the caller holds the agency's lock, so no change is incomplete. */
export async function reports(
  context: Pick<Context, 'graph' | 'agency'>,
  locked = false,
): Promise<ReadRecords<EvolutionReport>> {
  return await records(context, 'evolution', reportOf, locked);
}

/** Operations that wait or waited for a person. */
export async function waitingOperations(
  context: Pick<Context, 'graph' | 'agency'>,
  locked = false,
): Promise<ReadRecords<WaitingOperation>> {
  return await records(context, 'deferred', waitingOf, locked);
}

async function records<One>(
  context: Pick<Context, 'graph' | 'agency'>,
  kind: 'evolution' | 'deferred',
  read: (id: string, value: unknown) => One | undefined,
  locked: boolean,
): Promise<ReadRecords<One>> {
  if (!locked) await loadAgency(context); // completes an interrupted change
  const { records, warnings } = await (await context.agency()).notes(kind);
  const problems = [...warnings];
  const all: One[] = [];
  for (const { id, value } of records) {
    const one = read(id, value);
    if (one === undefined) problems.push(`${id}: not a record of an evolution`);
    else all.unshift(one);
  }
  return { all, warnings: problems };
}

/** The record with this id or unique id prefix. Errors: `not_found`, `ambiguous_id`. */
export function named<One extends { readonly id: string }>(all: readonly One[], word: string, list: string): One {
  const exact = all.find(({ id }) => id === word);
  const matches = exact ? [exact] : all.filter(({ id }) => id.startsWith(word));
  const [only, ...others] = matches;
  const excerpt = cut(inert(word), 80);
  if (!only)
    throw new TroupeError('not_found', { what: `Nothing is called ${excerpt} here.`, hint: `Run \`${list}\`.` });
  if (others.length === 0) return only;
  throw new TroupeError('ambiguous_id', {
    what: `${excerpt} may be any of ${matches.map(({ id }) => id).join(', ')}.`,
  });
}
