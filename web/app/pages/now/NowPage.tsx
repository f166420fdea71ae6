/**
 * What needs a person, what runs, what comes next.
 * @packageDocumentation
 */
import type { ReactNode } from 'react';
import { inert } from '#kernel/text.js';
import type { NowAnswer } from '#surfaces/http/contract.js';
import { nowResource, useResource } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { Command } from '../../drawer/Command.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Progress } from '../../status/Progress.js';
import { Problems } from './Problems.js';
import { Spend } from './Spend.js';
import { TaskRow } from './TaskRow.js';

type List = NowAnswer['running'];

/** What needs you, what is really happening, what comes next. */
export function NowPage() {
  const { answer, error } = useResource(nowResource);
  return (
    <div className="now">
      <h1>Now</h1>
      {answer !== undefined ? (
        <Answers now={answer} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={6} />
      )}
    </div>
  );
}

function Answers({ now }: { readonly now: NowAnswer }) {
  const tasks = Object.values(now.counts).reduce((sum, count) => sum + count, 0);
  if (tasks === 0) {
    return (
      <div className="empty empty-page">
        <p>No tasks yet. Here you will see what waits for you, who works on what, and what comes next.</p>
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
            empty="Nothing waits for you. Reviews, stopped and failed tasks will stand here."
          />
          <Problems />
          <Section
            title="Running"
            state="in-progress"
            list={now.running}
            empty={
              waiting === 0
                ? 'Everything is finished.'
                : 'Nobody works at the moment. Running tasks stand here with their member and time.'
            }
          />
        </div>
        <div>
          <Section
            title="Next"
            state="ready"
            list={now.ready}
            empty={
              waiting === 0 ? 'Nothing is left to do.' : 'No task is ready. Tasks that can start at once stand here.'
            }
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

/** Clients that tasks wait for: one that cannot be started, and those whose provider is in trouble. */
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
            <strong>{inert(one.text)}.</strong> <Words text={one.remedy} />
          </p>
          {one.command === null ? null : <Command text={one.command} />}
        </div>
      ))}
    </section>
  );
}

/** A sentence with the commands in it set as such. */
function Words({ text }: { readonly text: string }) {
  return inert(text)
    .split('`')
    .map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
}

function Section(given: {
  readonly title: string;
  /** Of those that are listed: where the rest of them is shown. */
  readonly state: string;
  readonly list: List;
  readonly empty: string;
  readonly minor?: boolean;
  readonly children?: ReactNode;
}) {
  const { title, state, list, empty, minor = false, children } = given;
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
