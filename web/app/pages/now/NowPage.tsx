/**
 * Now: an inbox of what needs a person, current runs, next tasks, and what has just ended.
 * @packageDocumentation
 */
import { useMemo } from 'react';
import { inert } from '#kernel/text.js';
import type { NowAnswer } from '#surfaces/http/contract.js';
import { nowResource, resourceOf, useResource } from '../../data/resource.js';
import { newTask } from '../../data/task-form.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Sentence } from '../../shell/Sentence.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Progress } from '../../status/Status.js';
import { DoBox } from '../do/DoBox.js';
import { inboxOf, type ProblemRow } from './inbox.js';
import { NeedsYou } from './NeedsYou.js';
import { Running } from './Running.js';
import { Finished, Next, Spend } from './Side.js';

/** Poll interval of problems, some of which come with time alone. */
const SIDE_EVERY_MS = 15_000;

const problemsResource = resourceOf('analysis.problems', {});

export function NowPage() {
  const { answer, error } = useResource(nowResource);
  const problems = useResource(problemsResource, SIDE_EVERY_MS);
  const mayAct = useRefusal() === undefined;
  // Problems stand above the runs: if they came later, the rows would move away from under a finger.
  const isWhole = problems.answer !== undefined || problems.error !== undefined;
  return (
    <div className="now">
      <div className="now-head">
        <h1>Now</h1>
        {mayAct ? (
          <button type="button" onClick={newTask}>
            New task
          </button>
        ) : null}
      </div>
      {mayAct ? <DoBox /> : null}
      {answer !== undefined && isWhole ? (
        <Answers now={answer} problems={problems.answer?.problems ?? []} mayAct={mayAct} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={6} />
      )}
    </div>
  );
}

function Answers(props: {
  readonly now: NowAnswer;
  readonly problems: readonly ProblemRow[];
  readonly mayAct: boolean;
}) {
  const { now, problems, mayAct } = props;
  const inbox = useMemo(() => inboxOf(now, problems), [now, problems]);
  const tasks = Object.values(now.counts).reduce((sum, count) => sum + count, 0);
  if (tasks === 0 && inbox.total === 0) return <Empty onAdd={mayAct ? newTask : undefined} />;
  const isOver = now.ready.total + now.not_ready.total === 0;
  return (
    <>
      <Clients now={now} />
      <div className="now-columns">
        <div>
          <NeedsYou inbox={inbox} now={now} mayAct={mayAct} />
          <Running
            now={now}
            mayAct={mayAct}
            empty={
              isOver
                ? 'Everything is finished.'
                : 'Nothing is running. Running tasks will appear here with member and time.'
            }
          />
          <Finished now={now} />
        </div>
        <div className="now-side">
          <Progress counts={now.counts} />
          <Next now={now} inbox={inbox} />
          <Spend />
        </div>
      </div>
    </>
  );
}

/** A new project: what will be here, and the ways to fill it. */
function Empty({ onAdd }: { readonly onAdd: (() => void) | undefined }) {
  return (
    <div className="empty empty-page">
      <p>No tasks yet. What needs you, what is running and what is next will appear here.</p>
      {onAdd === undefined ? null : (
        <>
          <p>Say above what should be done: you see the plan before anything runs. Or begin with one task.</p>
          <div className="buttons">
            <button type="button" onClick={onAdd}>
              Add the first task
            </button>
            <CopyIcon text='troupe run "add a version flag"' />
          </div>
        </>
      )}
    </div>
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
            <Sentence text={client.problem.text} />
          </p>
          <CopyIcon text={client.problem.command} />
        </div>
      )}
      {held.map((one) => (
        <div key={one.client} className="banner" role="status">
          <p>
            <strong>{inert(one.text)}</strong>; <Sentence text={`${one.remedy}.`} />
          </p>
          {one.command === null ? null : <CopyIcon text={one.command} />}
        </div>
      ))}
    </section>
  );
}
