import { useState } from 'react';
import type { NowAnswer } from '#surfaces/http/contract.js';
import { ACT_LOOK, type Deed, nameOf, tell } from '../../data/acts.js';
import { nowResource } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { EntryOf } from './Entries.js';
import type { Inbox, InboxEntry, RowAct } from './inbox.js';
import { useHeld, useSteady } from './steady.js';

const SHOWN = 5;

/** Outcome of an act on an entry, and the entry of the log that recorded it. */
interface Over {
  readonly text: string;
  readonly seq: number;
}

/** Everything that waits for a person, with what can be done about it. */
export function NeedsYou({
  inbox,
  now,
  mayAct,
}: {
  readonly inbox: Inbox;
  readonly now: NowAnswer;
  readonly mayAct: boolean;
}) {
  const [all, setAll] = useState(false);
  const [over, setOver] = useState<ReadonlyMap<string, Over>>(new Map());
  const { held, handlers } = useHeld();
  const list = useSteady(inbox.entries, held);
  const done = (entry: InboxEntry, act: RowAct, deed: Deed) => {
    const { key } = entry;
    setOver((before) => new Map(before).set(key, { text: ACT_LOOK[act].done, seq: deed.seq }));
    tell(act, subjectOf(entry, deed), deed, () => {
      setOver((before) => new Map([...before].filter(([other]) => other !== key)));
      void nowResource.load();
    });
    void nowResource.load();
  };
  const shown = all ? list : list.slice(0, SHOWN);
  const beyond = inbox.total - countOf(list.filter(({ gone }) => !gone).map(({ entry }) => entry));
  return (
    <section className="now-section" aria-label="Needs you" {...handlers}>
      <h2>Needs you {inbox.total === 0 ? null : <span className="count">{inbox.total}</span>}</h2>
      {shown.length === 0 ? (
        <p className="empty">
          Nothing needs you. Reviews, questions, decisions, blocked and failed tasks will appear here.
        </p>
      ) : (
        <ul className="entries">
          {shown.map(({ entry, gone }, place) => {
            const known = over.get(entry.key);
            const isOver = gone || (known !== undefined && now.seq < known.seq);
            return (
              <EntryOf
                key={entry.key}
                entry={entry}
                first={place === 0}
                over={isOver ? (known?.text ?? (entry.kind === 'land' ? 'Landed' : 'No longer waits')) : undefined}
                mayAct={mayAct}
                onDone={(act, deed) => done(entry, act, deed)}
              />
            );
          })}
        </ul>
      )}
      {list.length > SHOWN || beyond > 0 ? (
        <p className="left-out">
          {list.length > SHOWN ? (
            <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? 'Only the first' : `All ${inbox.total}`}
            </button>
          ) : null}
          {(all || list.length <= SHOWN) && beyond > 0 ? (
            <a
              className="link"
              href={addressOf({
                place: 'tasks',
                view: 'table',
                filters: { state: 'failed,pending-validation,blocked' },
              })}
            >
              and {beyond} more in the graph
            </a>
          ) : null}
        </p>
      ) : null}
    </section>
  );
}

/** Number of tasks, problems and decisions that these entries stand for. */
function countOf(entries: readonly InboxEntry[]): number {
  return entries.reduce(
    (sum, entry) => sum + (entry.kind === 'group' ? entry.total : entry.kind === 'roles' ? entry.roles.total : 1),
    0,
  );
}

function subjectOf(entry: InboxEntry, deed: Deed): string {
  if (entry.kind === 'task') return nameOf([entry.row.title], 1);
  if (entry.kind === 'problem') return nameOf([entry.problem.title ?? deed.ids[0] ?? ''], 1);
  return nameOf([], deed.ids.length);
}
