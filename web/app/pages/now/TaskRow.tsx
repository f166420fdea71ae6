import { wordOf } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { NowRow } from '#surfaces/http/contract.js';
import { addressOf } from '../../data/route.js';
import { absolute, elapsed, useNow } from '../../data/time.js';
import { Glyph } from '../../status/Status.js';

/** One task in a list: sign, title, who and why, and how long. */
export function TaskRow({ row }: { readonly row: NowRow }) {
  const second = [
    row.member === undefined ? undefined : inert(row.member),
    row.reason === undefined ? undefined : readable(row.reason),
  ];
  const facts = second.filter((part) => part !== undefined);
  return (
    <a className="row" data-task-row href={addressOf({ page: 'now', task: row.id })}>
      <Glyph state={row.state} />
      <span className="row-texts">
        <span className="row-title">{inert(row.title)}</span>
        {facts.length === 0 ? null : <span className="row-facts">{facts.join(' · ')}</span>}
      </span>
      <span className={`row-state is-${row.state}`}>
        {wordOf(row.state, row.live)}
        {row.since === undefined ? null : <Since time={row.since} running={row.state === 'in-progress'} />}
      </span>
    </a>
  );
}

function Since({ time, running }: { readonly time: string; readonly running: boolean }) {
  const now = useNow();
  return (
    <time className="number" dateTime={time} title={absolute(time)}>
      {' '}
      {elapsed(time, now)}
      {running ? '' : ' ago'}
    </time>
  );
}

/** Times inside a sentence are written for machines; people get theirs. */
function readable(reason: string): string {
  return inert(reason).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => absolute(time));
}
