import { useMemo, useState } from 'react';
import { inert, plural, shellWord } from '#kernel/text.js';
import { act } from '../../data/api.js';
import { roleChanges } from '../../data/live.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { absolute } from '../../data/time.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Decision } from '../../shell/Decision.js';
import { Difference } from '../../shell/Difference.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { audit, candidates, proposals, reload, useFindings } from './requests.js';
import { type Candidate, candidateText, isLesson, overlapText, type Proposal } from './roles.js';

const SHOWN_AT_ONCE = 3;

/** Pending decisions about one role or all: lessons that could apply everywhere, and new descriptions of a role. */
export function Decisions({ role }: { readonly role?: string }) {
  const lessons = (useFindings(candidates).answer?.candidates ?? []).filter(isLesson).filter(isOf(role));
  const open = (useFindings(proposals).answer?.proposals ?? []).filter(isOf(role));
  const [most, setMost] = useState(SHOWN_AT_ONCE);
  const [announcement, setAnnouncement] = useState('');
  const total = lessons.length + open.length;
  const decided = async (words: string) => {
    setAnnouncement(words);
    await reload();
  };
  return (
    <section aria-label="For you to decide" className={total === 0 && announcement === '' ? 'unseen' : undefined}>
      <p role="status" className={announcement === '' ? 'unseen' : 'announcement'}>
        {announcement}
      </p>
      {total === 0 ? null : (
        <>
          <h2>
            For you to decide <span className="count">{total}</span>
          </h2>
          {open.map((proposal) => (
            <ProposalCard key={proposal.id} proposal={proposal} onDecided={decided} />
          ))}
          {lessons.slice(0, most).map((candidate) => (
            <CandidateCard key={`${candidate.role} ${candidate.lesson}`} candidate={candidate} onDecided={decided} />
          ))}
          {lessons.length > most ? (
            <button type="button" className="more" onClick={() => setMost(most + 20)}>
              Show {Math.min(20, lessons.length - most)} more of {lessons.length - most}
            </button>
          ) : null}
        </>
      )}
    </section>
  );
}

const isOf = (role: string | undefined) => (one: { readonly role: string }) => role === undefined || one.role === role;

/** A lesson that could be graduated to the core role, with its evidence. */
function CandidateCard(props: { readonly candidate: Candidate; onDecided(words: string): Promise<void> }) {
  const { candidate, onDecided } = props;
  const { id, role, why, origins, lesson = '', sources = [] } = candidate;
  const [isOpen, setOpen] = useState(false);
  return (
    <article className="card" aria-label={`Lesson of ${role}`}>
      <h3>
        <RoleLink name={role} />
        {why === 'shared-lesson'
          ? ` learned this in ${plural(origins.length, 'place')}`
          : ' learned this once and reports that it holds everywhere'}
      </h3>
      <p className="lesson">{inert(lesson)}</p>
      <EvidenceLines sources={sources.slice(0, LINES_SHOWN)} lesson={lesson} first={sources[0]} />
      {sources.length <= LINES_SHOWN ? null : (
        <details>
          <summary>{plural(sources.length - LINES_SHOWN, 'more line')}</summary>
          <EvidenceLines sources={sources.slice(LINES_SHOWN)} lesson={lesson} first={sources[0]} />
        </details>
      )}
      <button type="button" aria-expanded={isOpen} className="show-difference" onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} the difference<span className="unseen"> for {inert(role)}</span>
      </button>
      {isOpen ? <Graduation id={id} role={role} onDecided={onDecided} /> : null}
    </article>
  );
}

const LINES_SHOWN = 4;
type Source = NonNullable<Candidate['sources']>[number];

/** Evidence of a lesson; each further source is compared with the first. */
function EvidenceLines(props: {
  readonly sources: readonly Source[];
  readonly lesson: string;
  readonly first: Source | undefined;
}) {
  const { sources, lesson, first } = props;
  return (
    <ul className="evidence" aria-label="Evidence">
      {sources.map((source) => (
        <li key={`${source.file}:${source.line}`}>
          <span className="evidence-where">
            {source.origin} · {inert(source.name)}
          </span>
          <span className="muted">
            {source.date === null ? 'no date' : inert(source.date)}
            {source === first ? '' : ` · ${overlapText(source.overlap)}`}
          </span>
          <span className="mono muted">
            {inert(source.file)}:{source.line}
          </span>
          {source.text === lesson ? null : <span className="evidence-text">{inert(source.text)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Decision to graduate a lesson. It carries the hash of the shown text, so that nothing else can be approved. */
function Graduation({
  id,
  role,
  onDecided,
}: {
  readonly id: string;
  readonly role: string;
  onDecided(words: string): Promise<void>;
}) {
  const resource = useMemo(() => resourceOf('roles.candidates', { id }), [id]);
  const { answer, error } = useResource(resource, undefined, roleChanges);
  const change = answer?.candidates[0]?.change;
  if (change === undefined) return error === undefined ? <Skeleton rows={2} /> : <Failure error={error} />;
  return (
    <>
      <Difference text={change.difference} label={`What graduating it changes in ${role}`} />
      <Decision
        label="Graduate"
        about={`the lesson of ${role}`}
        command={`troupe roles graduate ${shellWord(inert(id))} --seen ${change.seen}`}
        primary
        act={async () => {
          await act('roles.graduate', { id, seen: change.seen });
          await onDecided(`It is now a core lesson of ${role} and was removed from its lanes.`);
        }}
      />
    </>
  );
}

/** Proposed text for a section that describes a role. */
function ProposalCard(props: { readonly proposal: Proposal; onDecided(words: string): Promise<void> }) {
  const { proposal, onDecided } = props;
  const { id, role, section, by, at, why, difference, stale } = proposal;
  const about = `${section} of ${role}`;
  return (
    <article className="card" aria-label={`Proposal for ${role}`}>
      <h3>
        <RoleLink name={role} /> would get {section === 'charter' ? 'a new charter' : `a new text for ${section}`}
      </h3>
      <p className="muted">
        Proposed by {inert(by)}, <time dateTime={at}>{absolute(at)}</time>
        {why === '' ? '' : `: ${inert(why)}`}
      </p>
      <Difference text={difference} label={`Proposed ${about}`} />
      <Decision
        label="Accept"
        about={about}
        command={`troupe roles proposals ${shellWord(inert(id))} --accept`}
        primary
        obstacle={stale ? 'The section has changed since this proposal: reject it, or propose it again.' : undefined}
        act={async () => {
          await act('roles.accept', { id, yes: true });
          await onDecided(`The ${about} was changed.`);
        }}
      />
      <Decision
        label="Reject"
        about={about}
        command={`troupe roles proposals ${shellWord(inert(id))} --reject`}
        act={async () => {
          await act('roles.reject', { id });
          await onDecided(`The proposal for the ${about} was rejected.`);
        }}
      />
    </article>
  );
}

function RoleLink({ name }: { readonly name: string }) {
  return (
    <a className="record-link" href={addressOf({ place: 'team', view: 'roles', item: name })}>
      {inert(name)}
    </a>
  );
}

/** Suggestions to check; they have no automatic effect. */
export function Suggestions({ role }: { readonly role?: string }) {
  const others = (useFindings(candidates).answer?.candidates ?? []).filter((one) => !isLesson(one)).filter(isOf(role));
  const { answer, error } = useFindings(audit);
  const findings = (answer?.findings ?? []).filter(isOf(role));
  const [most, setMost] = useState(SHOWN_AT_ONCE * 3);
  const rows = [
    ...findings.map(({ kind, role: name, file, line, text }) => ({ kind, name, text, place: `${file}:${line}` })),
    ...others.map((one) => ({
      kind: 'graduate',
      name: one.role,
      text: candidateText(one),
      place: one.origins.join(', '),
    })),
  ];
  if (error !== undefined && answer === undefined) return <Failure error={error} />;
  if (rows.length === 0) return null;
  return (
    <section aria-label="Needs attention">
      <div className="roles-head">
        <h2>
          Needs attention <span className="count">{rows.length}</span>
        </h2>
        <CopyIcon text="troupe roles check --evolve" />
      </div>
      {answer?.files_listed === false ? (
        <p className="muted">git could not list the files: references in lessons were not checked.</p>
      ) : null}
      <ul className="findings">
        {rows.slice(0, most).map((row) => (
          <li key={`${row.kind} ${row.name} ${row.place} ${row.text}`}>
            <span className="finding-kind">{row.kind}</span>
            <span>
              {inert(row.text)} <span className="mono muted">{inert(row.place)}</span>
            </span>
          </li>
        ))}
      </ul>
      {rows.length > most ? (
        <button type="button" className="more" onClick={() => setMost(most + 50)}>
          Show {Math.min(50, rows.length - most)} more of {rows.length - most}
        </button>
      ) : null}
    </section>
  );
}
