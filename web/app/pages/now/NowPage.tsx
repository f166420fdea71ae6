/**
 * Pending decisions, current runs, next tasks.
 * @packageDocumentation
 */
import { type ReactNode, useState } from 'react';
import { wordOf } from '#core/graph/status-look.js';
import { formatCost, formatMoney, formatTokens, inert } from '#kernel/text.js';
import type { Answer, NowAnswer, NowRow } from '#surfaces/http/contract.js';
import { nowResource, resourceOf, useResource } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { absolute, elapsed, useNow } from '../../data/time.js';
import { Command } from '../../drawer/Command.js';
import { TaskForm } from '../../drawer/TaskForm.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Glyph, Progress } from '../../status/Status.js';
import { ToLand } from './Landing.js';

/** Poll interval of the side panels. */
const SIDE_EVERY_MS = 15_000;

type List = NowAnswer['running'];

/** Pending decisions, current runs, next tasks. */
export function NowPage() {
  const { answer, error } = useResource(nowResource);
  const problems = useResource(problemsResource, SIDE_EVERY_MS);
  const [adding, setAdding] = useState(false);
  // Problems stand above the runs: if they came later, the rows would move away from under a finger.
  const isWhole = problems.answer !== undefined || problems.error !== undefined;
  return (
    <div className="now">
      <div className="now-head">
        <h1>Now</h1>
        <button type="button" onClick={() => setAdding(true)}>
          New task
        </button>
      </div>
      {adding ? <TaskForm task={undefined} onClose={() => setAdding(false)} /> : null}
      {answer !== undefined && isWhole ? (
        <Answers now={answer} problems={problems.answer?.problems ?? []} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={6} />
      )}
    </div>
  );
}

function Answers({ now, problems }: { readonly now: NowAnswer; readonly problems: readonly Problem[] }) {
  const tasks = Object.values(now.counts).reduce((sum, count) => sum + count, 0);
  if (tasks === 0) {
    return (
      <div className="empty empty-page">
        <p>No tasks yet. What needs you, what is running and what is next will appear here.</p>
        <Command text='troupe add "My first task" --exec "npm test"' />
      </div>
    );
  }
  const waiting = now.ready.total + now.not_ready.total;
  return (
    <>
      <Progress counts={now.counts} />
      <Clients now={now} />
      <div className="now-columns">
        <div>
          <Section
            title="Needs you"
            state="failed,pending-validation,blocked"
            list={now.needs_you}
            empty="Nothing needs you. Reviews, questions, decisions, blocked and failed tasks will appear here."
          />
          <Problems all={problems} />
          <Roles roles={now.roles} />
          <ToLand commits={now.to_land} />
          <Section
            title="Running"
            state="in-progress"
            list={now.running}
            empty={
              waiting === 0
                ? 'Everything is finished.'
                : 'Nothing is running. Running tasks will appear here with member and time.'
            }
          />
        </div>
        <div>
          <Section
            title="Next"
            state="ready"
            list={now.ready}
            empty={waiting === 0 ? 'Nothing left to do.' : 'No task is ready. Tasks that can start will appear here.'}
          >
            {now.not_ready.total === 0 ? null : (
              <Section title="Not ready yet" state="open,waiting" minor list={now.not_ready} empty="" />
            )}
          </Section>
          <Spend />
        </div>
      </div>
    </>
  );
}

/** Clients that tasks wait for: a client that cannot be started, and those whose provider fails. */
function Clients({ now: { client, held_clients: held } }: { readonly now: NowAnswer }) {
  if (client.problem === null && held.length === 0) return null;
  return (
    <section className="now-clients" aria-label="Clients">
      {client.problem === null ? null : (
        <div className="banner" role="status">
          <p>
            <Words text={client.problem.text} />
          </p>
          <Command text={client.problem.command} />
        </div>
      )}
      {held.map((one) => (
        <div key={one.client} className="banner" role="status">
          <p>
            <strong>{inert(one.text)}</strong>; <Words text={`${one.remedy}.`} />
          </p>
          {one.command === null ? null : <Command text={one.command} />}
        </div>
      ))}
    </section>
  );
}

/** A sentence with its commands set as code. */
function Words({ text }: { readonly text: string }) {
  return inert(text)
    .split('`')
    .map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
}

function Section(props: {
  readonly title: string;
  /** States of the listed tasks, for the link to the rest. */
  readonly state: string;
  readonly list: List;
  readonly empty: string;
  readonly minor?: boolean;
  readonly children?: ReactNode;
}) {
  const { title, state, list, empty, minor = false, children } = props;
  const Heading = minor ? 'h3' : 'h2';
  const leftOut = list.total - list.rows.length;
  return (
    <section className={minor ? 'now-section is-minor' : 'now-section'} aria-label={title}>
      <Heading>
        {title} {list.total === 0 ? null : <span className="count">{list.total}</span>}
      </Heading>
      {list.total === 0 ? (
        <p className="empty">{empty}</p>
      ) : (
        <ul className="rows">
          {list.rows.map((row) => (
            <li key={row.id}>
              <TaskRow row={row} />
            </li>
          ))}
        </ul>
      )}
      {leftOut > 0 ? (
        <a className="muted left-out" href={addressOf({ page: 'graph', state })}>
          and {leftOut} more
        </a>
      ) : null}
      {children}
    </section>
  );
}

/** One task in a list: sign, title, member, worker, reason and duration. */
function TaskRow({ row }: { readonly row: NowRow }) {
  const second = [
    row.member === undefined ? undefined : inert(row.member),
    row.worker === undefined ? undefined : `at ${inert(row.worker)}`,
    row.reason === undefined ? undefined : readable(row.reason),
  ];
  const facts = second.filter((part) => part !== undefined);
  return (
    <a className="row" data-row href={addressOf({ page: 'now', task: row.id })}>
      <Glyph state={row.state} />
      <span className="row-texts">
        <span className="row-title">{inert(row.title)}</span>
        {facts.length === 0 ? null : <span className="row-facts">{facts.join(' · ')}</span>}
      </span>
      <span className={`row-state is-${row.state}`}>
        {wordOf(row.state, row.live, undefined)}
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

/** Replaces timestamps in a sentence with local times. */
function readable(reason: string): string {
  return inert(reason).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => absolute(time));
}

/** Kinds of problems already shown above: among the clients and the pending decisions. */
const SHOWN_ABOVE: ReadonlySet<string> = new Set(['review', 'blocked', 'failed', 'client']);

const problemsResource = resourceOf('analysis.problems', {});
type Problem = Answer<'analysis.problems'>['problems'][number];

/** Problems that need a person, each with its remedy. Renders nothing if there are none. */
function Problems({ all }: { readonly all: readonly Problem[] }) {
  const rows = all.filter(({ kind }) => !SHOWN_ABOVE.has(kind));
  if (rows.length === 0) return null;
  return (
    <section className="now-section" aria-label="Problems">
      <h2>
        Problems <span className="count">{rows.length}</span>
      </h2>
      <ul className="problems">
        {rows.map((row) => (
          <li key={`${row.kind} ${row.task} ${row.text}`}>
            <p>
              {row.title === null ? null : <strong>{inert(row.title)}: </strong>}
              {inert(row.text)}
            </p>
            <Command text={inert(row.command)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Pending decisions about roles. Renders nothing if there are none. */
function Roles({ roles: { rows, total } }: { readonly roles: NowAnswer['roles'] }) {
  if (total === 0) return null;
  return (
    <section className="now-section" aria-label="Roles">
      <h2>
        Roles <span className="count">{total}</span>
      </h2>
      <ul className="problems">
        {rows.map((row) => (
          <li key={`${row.kind} ${row.role} ${row.command}`}>
            <p>{inert(row.text)}</p>
            <Command text={inert(row.command)} />
          </li>
        ))}
      </ul>
      <a className="muted left-out" href={addressOf({ page: 'talent' })}>
        {total > rows.length ? `and ${total - rows.length} more, on the page Talent` : 'Decide on the page Talent'}
      </a>
    </section>
  );
}

const workResource = resourceOf('status.work', {});

/** Spending against the budget; hidden if both are zero. */
function Spend() {
  const { answer } = useResource(workResource, SIDE_EVERY_MS);
  if (answer === undefined) return null;
  const { usd_today, usd_total, usd_reserved, usd_per_day, usd_cap, tokens_today, tokens_per_day } = answer.spend;
  const { estimated_today, estimated_total } = answer.spend;
  if (
    ![usd_total, usd_reserved, tokens_today, usd_per_day, usd_cap, tokens_per_day].some((amount) => (amount ?? 0) > 0)
  )
    return null;
  const of = (cap: number | null, say: (value: number) => string) => (cap === null ? '' : ` of ${say(cap)}`);
  const facts: [string, string][] = [
    ['Today', `${formatCost(usd_today, estimated_today)}${of(usd_per_day, formatMoney)}`],
    ['In total', `${formatCost(usd_total, estimated_total)}${of(usd_cap, formatMoney)}`],
    ...(usd_reserved > 0 ? [['Reserved', formatMoney(usd_reserved)] as [string, string]] : []),
    ['Tokens today', `${formatTokens(tokens_today)}${of(tokens_per_day, formatTokens)}`],
  ];
  return (
    <section className="now-section" aria-label="Spend">
      <h2>Spend</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
