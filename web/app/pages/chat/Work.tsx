import { useMemo, useState } from 'react';
import { teamTaskWord } from '#core/teams/team-task-word.js';
import { inert, shellWord } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { act } from '../../data/api.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { openTask } from '../../data/route.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure } from '../../shell/Skeleton.js';
import { ASK_MS, type StoredTeam } from './stored-team.js';

type TeamTask = Answer<'team.tasks'>['tasks'][number];

/** The plan that every member receives, the tasks with their states, and the deliverables. */
export function Work({ team }: { readonly team: StoredTeam }) {
  return (
    <section className="chat-work" aria-label="Work">
      <Plan team={team} />
      <Tasks team={team} />
      <Artifacts team={team} />
    </section>
  );
}

function Plan({ team }: { readonly team: StoredTeam }) {
  const resource = useMemo(() => resourceOf('team.strata', { team: team.id }), [team.id]);
  const { answer } = useResource(resource, ASK_MS);
  const { busy, trouble, run } = useAction();
  if (answer === undefined) return null;
  const { in_force: inForce, versions } = answer;
  const latest = versions.at(-1);
  const plan = inForce?.plan;
  return (
    <section aria-label="Plan">
      <div className="chat-head">
        <h2>Plan</h2>
        <CopyIcon text={`troupe team strata ${shellWord(inert(team.name))}`} />
      </div>
      {plan ? (
        <>
          <p>
            <strong>{inert(plan.objective)}</strong>
          </p>
          <p>{inert(plan.approach, true)}</p>
          <List title="Phases" rows={plan.phases} />
          <List title="Guardrails" rows={plan.guardrails} />
          <List title="Done when" rows={plan.success_criteria} />
          <List title="Who does what" rows={plan.assignments.map(({ member, work }) => `${member}: ${work}`)} />
        </>
      ) : (
        <p className="muted">{PLAN_WORDS[latest?.state ?? 'none'] ?? PLAN_WORDS.none}</p>
      )}
      {inForce === null || team.status !== 'active' ? null : (
        <div className="buttons">
          <button type="button" disabled={busy} onClick={() => void run(() => act('team.replan', { team: team.id }))}>
            Plan again
          </button>
        </div>
      )}
      {trouble === undefined ? null : <Failure error={trouble} />}
    </section>
  );
}

const PLAN_WORDS: Readonly<Record<string, string>> & { readonly none: string } = {
  none: 'No plan yet: the leader makes one after the first message.',
  planning: 'The leader is planning.',
  skipped: 'The leader decided that no plan is needed.',
  failed: 'The plan could not be made; work continues without one.',
};

function List({ title, rows }: { readonly title: string; readonly rows: readonly string[] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="bullets">
        {rows.map((row) => (
          <li key={row}>{inert(row)}</li>
        ))}
      </ul>
    </>
  );
}

function Tasks({ team }: { readonly team: StoredTeam }) {
  const resource = useMemo(() => resourceOf('team.tasks', { team: team.id }), [team.id]);
  const { answer, error } = useResource(resource, ASK_MS);
  const rows = answer?.tasks ?? [];
  return (
    <section aria-label="Tasks">
      <div className="chat-head">
        <h2>Tasks {rows.length === 0 ? null : <span className="count">{rows.length}</span>}</h2>
        <CopyIcon text={`troupe team task ${shellWord(inert(team.name))} TITLE --to NAME`} />
      </div>
      {error !== undefined && answer === undefined ? <Failure error={error} /> : null}
      {answer !== undefined && rows.length === 0 ? (
        <p className="muted">No tasks yet: the leader or you can add them.</p>
      ) : null}
      <ul className="team-tasks">
        {rows.map((task) => (
          <li key={task.id}>
            <p>
              <button type="button" className="link" onClick={() => openTask(task.id)}>
                {inert(task.title)}
              </button>{' '}
              <span className={`team-status is-${task.status}`}>{teamTaskWord(task.status)}</span>
            </p>
            <p className="muted">
              {task.member === null ? 'nobody' : inert(task.member)}
              {task.rejections === 0 ? '' : ` · rejected ${task.rejections}×`}
              {task.feedback === null ? '' : ` · ${inert(task.feedback)}`}
            </p>
            {task.status === 'WaitingReview' ? <Review task={task} onDone={() => void resource.load()} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Approves or rejects the deliverable of exactly the attempt that is shown. */
function Review({ task, onDone }: { readonly task: TeamTask; onDone(): void }) {
  const [feedback, setFeedback] = useState('');
  const { busy, trouble, run } = useAction();
  const decide = (verdict: 'approve' | 'reject') =>
    run(async () => {
      const words = feedback.trim() === '' ? {} : { feedback: feedback.trim() };
      await act('task.review', { id: task.id, verdict, attempt: task.attempt, ...words });
      onDone();
    });
  return (
    <div className="team-review">
      <label className="field">
        Feedback
        <textarea rows={2} value={feedback} onChange={(event) => setFeedback(event.target.value)} />
      </label>
      <div className="buttons">
        <button type="button" disabled={busy} onClick={() => void decide('approve')}>
          Approve
        </button>
        <button type="button" disabled={busy} onClick={() => void decide('reject')}>
          Reject
        </button>
        <CopyIcon text={`troupe team review ${shellWord(inert(task.id))} approve`} />
      </div>
      {trouble === undefined ? null : <Failure error={trouble} />}
    </div>
  );
}

function Artifacts({ team }: { readonly team: StoredTeam }) {
  const resource = useMemo(() => resourceOf('artifact.list', { team: team.id }), [team.id]);
  const { answer } = useResource(resource, ASK_MS);
  const rows = answer?.artifacts ?? [];
  return (
    <section aria-label="Artifacts">
      <div className="chat-head">
        <h2>Artifacts {rows.length === 0 ? null : <span className="count">{rows.length}</span>}</h2>
        <CopyIcon text={`troupe team artifacts ${shellWord(inert(team.name))}`} />
      </div>
      {answer !== undefined && rows.length === 0 ? <p className="muted">No artifacts yet.</p> : null}
      <ul className="fact-list">
        {rows.map(({ id, name, size, state, created_by: by }) => (
          <li key={id}>
            <a className="link" href={`/api/artifacts/${encodeURIComponent(id)}`} download>
              {inert(name)}
            </a>
            <span className="muted">
              {size < 1024 ? `${size} B` : `${Math.ceil(size / 1024)} KiB`} · {inert(by)}
              {state === 'current' ? '' : ` · ${state}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
