import { useEffect, useState } from 'react';
import { inert, plural } from '#kernel/text.js';
import type { MemberAnswer, TeamAnswer, TeamMemberAnswer } from '#surfaces/http/contract.js';
import { ApiError, ask } from '../../data/api.js';
import { elapsed } from '../../data/time.js';
import { Command } from '../../drawer/Command.js';
import { Dialog } from '../../shell/Dialog.js';
import { Failure } from '../../shell/Skeleton.js';

/** Members of the team; a click opens the charter. */
export function Members({ base, team }: { readonly base: string; readonly team: TeamAnswer }) {
  const [open, setOpen] = useState<string>();
  return (
    <section aria-label="Members">
      <h2>
        Members <span className="count">{team.members.filter((member) => member.status === 'Active').length}</span>
      </h2>
      <p className="muted">
        From {inert(team.universe)}, led by {inert(team.leader)}.
      </p>
      <ul className="team-rows">
        {team.members.map((member) => (
          <li key={member.slug} className={member.status === 'Retired' ? 'is-retired' : undefined}>
            <button type="button" className="team-member" onClick={() => setOpen(member.name)}>
              <strong>{inert(member.name)}</strong>
              <span>{inert(member.role_title)}</span>
              <span className="muted">{standing(member, member.name === team.leader)}</span>
            </button>
          </li>
        ))}
      </ul>
      <Command text="troupe team show" />
      {open === undefined ? null : <Charter base={base} name={open} onClose={() => setOpen(undefined)} />}
    </section>
  );
}

function standing({ status, built_in: builtIn, score, count }: TeamMemberAnswer, leads: boolean): string {
  const scored = score === null ? '' : `${score.toFixed(2)} in ${plural(count, 'score')}`;
  const words = [status === 'Retired' ? 'retired' : builtIn ? 'built in' : '', leads ? 'leads' : '', scored];
  return words.filter((word) => word !== '').join(', ');
}

function Charter({ base, name, onClose }: { readonly base: string; readonly name: string; onClose(): void }) {
  const [result, setResult] = useState<{ member?: MemberAnswer; error?: ApiError }>({});
  useEffect(() => {
    ask<MemberAnswer>(`${base}/team/members/${encodeURIComponent(name)}`).then(
      (member) => setResult({ member }),
      (error) => setResult({ error: error instanceof ApiError ? error : new ApiError('internal', String(error), '') }),
    );
  }, [base, name]);
  return (
    <Dialog label={`Charter of ${inert(name)}`} className="charter-dialog" onClose={onClose}>
      {result.error === undefined ? null : <Failure error={result.error} />}
      {result.member === undefined ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className="charter" tabIndex={0}>
          {inert(result.member.charter ?? 'This member has no charter.', true)}
        </pre>
      )}
      {result.member === undefined ? null : <Remembers remembers={result.member.remembers} />}
      <button type="button" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}

/** Memory that a run of this member receives. */
function Remembers({ remembers: { learnings, decisions, older } }: Pick<MemberAnswer, 'remembers'>) {
  return (
    <>
      <Rows
        title="Has learned"
        rows={learnings.map(({ number, content, created_at: at }) => ({
          number,
          text: `${elapsed(at, Date.now())} ago: ${content}`,
        }))}
        older={older.learnings}
      />
      <Rows
        title="Decisions of the team"
        rows={decisions.map(({ number, title }) => ({ number, text: `${number}. ${title}` }))}
        older={older.decisions}
      />
    </>
  );
}

interface RowsProps {
  readonly title: string;
  readonly rows: readonly { readonly number: number; readonly text: string }[];
  readonly older: number;
}

function Rows({ title, rows, older }: RowsProps) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title} className="charter-memory">
      <h3>{title}</h3>
      {older > 0 ? <p className="muted">{older} older are not shown.</p> : null}
      <ul>
        {rows.map(({ number, text }) => (
          <li key={number}>{inert(text)}</li>
        ))}
      </ul>
    </section>
  );
}
