import { type RefObject, useState } from 'react';
import { formatCost, formatTokens, inert, plural } from '#kernel/text.js';
import type { NowAnswer, NowRow } from '#surfaces/http/contract.js';
import type { Deed } from '../../data/acts.js';
import { addressOf } from '../../data/route.js';
import { absolute } from '../../data/time.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Sentence } from '../../shell/Sentence.js';
import { Glyph } from '../../status/Status.js';
import { Entry } from './Entry.js';
import type { InboxEntry, RowAct } from './inbox.js';
import { LandingDialog } from './Landing.js';
import { Since } from './Since.js';

/** Tasks of a group that are named before their titles are known. */
const SHOWN = 5;

interface EntryProps {
  readonly first: boolean;
  readonly over: string | undefined;
  readonly mayAct: boolean;
  onDone(act: RowAct, deed: Deed): void;
}

/** An entry of the inbox, by its kind. */
export function EntryOf({ entry, ...props }: EntryProps & { readonly entry: InboxEntry }) {
  switch (entry.kind) {
    case 'task':
      return <TaskEntry row={entry.row} {...props} />;
    case 'group':
      return <GroupEntry entry={entry} {...props} />;
    case 'problem':
      return <ProblemEntry entry={entry} {...props} />;
    case 'land':
      return <LandEntry commits={entry.commits} {...props} />;
    case 'roles':
      return <RolesEntry roles={entry.roles} {...props} />;
  }
}

function TaskEntry({ row, first, over, mayAct, onDone }: EntryProps & { readonly row: NowRow }) {
  const { id, acts = [], command, formation } = row;
  const doing =
    mayAct && acts.length > 0 ? { acts, ids: [id], total: 1, about: inert(row.title), command, onDone } : undefined;
  const more =
    doing === undefined && mayAct ? (
      <>
        {formation === undefined ? null : (
          <a
            className="act is-main"
            data-key="a"
            href={addressOf({ place: 'runs', view: 'list', item: formation })}
            aria-label={`Decide… on ${inert(formation)}`}
          >
            Decide…
          </a>
        )}
        <CopyIcon text={inert(command ?? `troupe show ${id}`)} />
      </>
    ) : row.state === 'pending-validation' ? (
      <a
        className="act"
        href={addressOf({ place: 'tasks', view: 'task', item: id })}
        aria-label={`Review ${inert(row.title)}`}
      >
        Review
      </a>
    ) : null;
  return (
    <Entry first={first} over={over} doing={doing} more={more}>
      {(place) => (
        <a
          ref={place as RefObject<HTMLAnchorElement>}
          className="entry-main"
          data-row
          href={addressOf({ place: 'now', task: id })}
        >
          <Glyph state={row.state} />
          <span className="row-texts">
            <span className="row-title">{inert(row.title)}</span>
            <span className="unseen">{STATE_WORDS[row.state]}</span>
            <TaskFacts row={row} />
          </span>
        </a>
      )}
    </Entry>
  );
}

const STATE_WORDS: Partial<Record<NowRow['state'], string>> = {
  'pending-validation': 'needs review',
  failed: 'failed',
  blocked: 'blocked',
  waiting: 'waiting',
  ready: 'ready',
};

/** Basis of a decision: question, criterion, check, or the reason; then member, time and cost. */
function TaskFacts({ row }: { readonly row: NowRow }) {
  const { criterion, check, question, member, reason, since, used } = row;
  const isReview = row.state === 'pending-validation';
  const says = question ?? (isReview && criterion !== undefined && isUsual(reason) ? criterion : reason);
  return (
    <>
      {says === undefined ? null : (
        <span className={question === undefined ? 'row-facts' : 'row-facts is-question'}>
          {isReview && says === criterion ? `“${inert(says)}”` : <Sentence text={readable(says)} />}
        </span>
      )}
      {isReview && criterion !== undefined && says !== criterion ? (
        <span className="row-facts">“{inert(criterion)}”</span>
      ) : null}
      <span className="row-facts is-small">
        {check === undefined ? null : (
          <span className={check.passed ? 'check is-passed' : 'check is-not'}>
            {check.passed ? '✓' : '✕'} {inert(check.command)} {inert(check.text)}
          </span>
        )}
        {member === undefined ? null : <span>{inert(member)}</span>}
        {used === undefined ? null : (
          <span>
            {formatTokens(used.tokens)} tokens
            {used.usd === undefined ? '' : `, ${formatCost(used.usd, used.estimated)}`}
          </span>
        )}
        {since === undefined ? null : <Since time={since} />}
      </span>
    </>
  );
}

const isUsual = (reason: string | undefined): boolean =>
  reason === undefined || reason === 'needs review before it is done';

/** Replaces timestamps in a sentence with local times. */
function readable(reason: string): string {
  return reason.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => absolute(time));
}

function GroupEntry({
  entry,
  first,
  over,
  mayAct,
  onDone,
}: EntryProps & { readonly entry: InboxEntry & { kind: 'group' } }) {
  const [isOpen, setOpen] = useState(false);
  const { act, ids, total, reason, state, rows, since } = entry;
  const doing = mayAct ? { acts: [act], ids, total, about: `${total} tasks`, onDone } : undefined;
  const word = state === 'failed' ? 'failed' : state === 'blocked' ? 'blocked' : 'paused';
  const named = rows.length > 0 ? rows : ids.slice(0, SHOWN).map((id) => ({ id, title: id }));
  return (
    <Entry
      first={first}
      over={over}
      doing={doing}
      below={
        isOpen ? (
          <ul className="entry-members">
            {named.map(({ id, title }) => (
              <li key={id}>
                <a data-row href={addressOf({ place: 'now', task: id })}>
                  {inert(title)}
                </a>
              </li>
            ))}
            {total > named.length ? (
              <li>
                <a className="link" href={addressOf({ place: 'tasks', view: 'table', filters: { state } })}>
                  and {total - named.length} more in the graph
                </a>
              </li>
            ) : null}
          </ul>
        ) : null
      }
    >
      {(place) => (
        <button
          type="button"
          ref={place as RefObject<HTMLButtonElement>}
          className="entry-main"
          data-row
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Glyph state={state} />
          <span className="row-texts">
            <span className="row-title">
              {total} {word}: <Sentence text={readable(reason)} />
            </span>
            <span className="row-facts is-small">
              <span>{isOpen ? 'hide the tasks' : 'show the tasks'}</span>
              {since === undefined ? null : <Since time={since} />}
            </span>
          </span>
        </button>
      )}
    </Entry>
  );
}

function ProblemEntry({
  entry: { problem },
  first,
  over,
  mayAct,
  onDone,
}: EntryProps & { readonly entry: InboxEntry & { kind: 'problem' } }) {
  const { task, title, text, command, acts = [], since } = problem;
  const doing =
    mayAct && acts.length > 0 && task !== null
      ? { acts, ids: [task], total: 1, about: inert(title ?? task), command: inert(command), onDone }
      : undefined;
  const texts = (
    <>
      <span className="glyph is-blocked" aria-hidden="true">
        !
      </span>
      <span className="row-texts">
        <span className="row-title">{title === null ? <Sentence text={readable(text)} /> : inert(title)}</span>
        {title === null ? null : (
          <span className="row-facts">
            <Sentence text={readable(text)} />
          </span>
        )}
        <span className="row-facts is-small">
          {doing === undefined ? <code>{inert(command)}</code> : null}
          {since === null ? null : <Since time={since} />}
        </span>
      </span>
    </>
  );
  return (
    <Entry first={first} over={over} doing={doing} more={<CopyIcon text={inert(command)} />}>
      {(place) =>
        task === null ? (
          <div ref={place as RefObject<HTMLDivElement>} className="entry-main" data-row tabIndex={-1}>
            {texts}
          </div>
        ) : (
          <a
            ref={place as RefObject<HTMLAnchorElement>}
            className="entry-main"
            data-row
            href={addressOf({ place: 'now', task })}
          >
            {texts}
          </a>
        )
      }
    </Entry>
  );
}

/** Merged work: a dialog shows it before anything changes. */
function LandEntry({ commits, first, over, mayAct }: EntryProps & { readonly commits: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Entry
      first={first}
      over={over}
      more={
        mayAct ? (
          <>
            <button
              type="button"
              className="act is-main"
              data-key="a"
              aria-label={`Land… ${plural(commits, 'commit')}`}
              onClick={() => setOpen(true)}
            >
              Land…
            </button>
            <CopyIcon text="troupe worktree land" />
          </>
        ) : null
      }
      below={isOpen ? <LandingDialog onClose={() => setOpen(false)} /> : null}
    >
      {(place) => (
        <div ref={place as RefObject<HTMLDivElement>} className="entry-main" data-row tabIndex={-1}>
          <span className="glyph is-done" aria-hidden="true">
            ⇡
          </span>
          <span className="row-texts">
            <span className="row-title">{plural(commits, 'commit')} to land</span>
            <span className="row-facts">Merged work waits on wg/integration until you land it on your branch.</span>
          </span>
        </div>
      )}
    </Entry>
  );
}

function RolesEntry({ roles: { rows, total }, first, over }: EntryProps & { readonly roles: NowAnswer['roles'] }) {
  const [matter] = rows;
  return (
    <Entry first={first} over={over}>
      {(place) => (
        <a
          ref={place as RefObject<HTMLAnchorElement>}
          className="entry-main"
          data-row
          href={addressOf({ place: 'team', view: 'roles' })}
        >
          <span className="glyph is-pending-validation" aria-hidden="true">
            ◇
          </span>
          <span className="row-texts">
            <span className="row-title">{plural(total, 'decision')} about roles</span>
            <span className="row-facts">{matter === undefined ? 'On the page Roles' : inert(matter.text)}</span>
          </span>
        </a>
      )}
    </Entry>
  );
}
