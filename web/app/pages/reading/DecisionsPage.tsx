import { useState } from 'react';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { act } from '../../data/api.js';
import { notice } from '../../data/notices.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { arrive, useAt } from '../../data/route.js';
import { absolute } from '../../data/time.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure } from '../../shell/Skeleton.js';
import { EVERY_MS, Page, Text, Waiting } from './Page.js';

const decisionsResource = resourceOf('decision.list', {});

type Decision = Answer<'decision.list'>['decisions'][number];

/** Decisions of the team, the latest first, those in force before the others. */
export default function DecisionsPage() {
  const { answer, error } = useResource(decisionsResource, EVERY_MS);
  const [all, setAll] = useState(false);
  const at = useAt();
  const rows = [...(answer?.decisions ?? [])].reverse();
  const active = rows.filter(({ status }) => status === 'active');
  const shown = all ? rows : active;
  return (
    <Page command="troupe decision list" choice={<p className="muted">{active.length} in force</p>}>
      {answer === undefined ? (
        <Waiting error={error} />
      ) : rows.length === 0 ? (
        <p className="empty">
          No decisions yet. What the team agrees on will be here, with its reason; each prompt gets the decisions in
          force.
        </p>
      ) : (
        <>
          <ol className="reading-rows">
            {shown.map((row) => (
              <li
                key={row.number}
                ref={row.number === at ? arrive : undefined}
                className={row.number === at ? 'reading-row is-asked' : 'reading-row'}
              >
                <DecisionText row={row} />
              </li>
            ))}
          </ol>
          {active.length === rows.length ? null : (
            <p>
              <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
                {all ? 'Only those in force' : `And ${rows.length - active.length} no longer in force`}
              </button>
            </p>
          )}
        </>
      )}
    </Page>
  );
}

function DecisionText({ row }: { readonly row: Decision }) {
  const { number, type, title, content, rationale, agent, status, superseded_by: successor } = row;
  const refusal = useRefusal();
  const { busy, trouble, run } = useAction();
  const archive = () =>
    run(async () => {
      await act('decision.archive', { number });
      notice.set({ text: `No longer in force: ${inert(title)}.` });
      await decisionsResource.load();
    });
  return (
    <>
      <div className="reading-head">
        <h2>
          <span className="muted number">{number}</span> {inert(title)}
        </h2>
        {status === 'active' ? (
          <span className="reading-acts">
            <button
              type="button"
              disabled={busy || refusal !== undefined}
              title={refusal}
              onClick={() => void archive()}
            >
              Archive<span className="unseen"> {inert(title)}</span>
            </button>
            <CopyIcon text={`troupe decision archive ${number}`} />
          </span>
        ) : null}
      </div>
      <p className="muted reading-facts">
        {[
          type,
          agent === undefined ? undefined : `proposed by ${agent}`,
          `recorded by ${row.created_by}`,
          absolute(row.created_at),
          status === 'active' ? undefined : status === 'superseded' ? `replaced by ${successor}` : status,
        ]
          .filter((fact) => fact !== undefined)
          .map((fact) => inert(fact))
          .join(' · ')}
      </p>
      <Text text={content} />
      {rationale === '' ? null : (
        <div className="reading-reason">
          <h3>Why</h3>
          <Text text={rationale} />
        </div>
      )}
      {trouble === undefined ? null : <Failure error={trouble} />}
    </>
  );
}
