/**
 * Playbooks: all that turns a goal into tasks, each with its steps and a way to start it.
 * @packageDocumentation
 */
import { useMemo } from 'react';
import { inert, shellWord } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { addressOf, useRoute } from '../../data/route.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { asked, choiceOf } from '../do/asked.js';
import { Flow } from './Flow.js';
import './playbooks.css';

type Row = Answer<'playbook.list'>['playbooks'][number];
type Shown = Answer<'playbook.show'>;

const KINDS = [
  ['workflow', 'Workflows', 'Steps with owners and reviews. You see the plan before it starts.'],
  ['formation', 'Formations', 'A line-up of roles that you accept before anything runs.'],
  ['function', 'Functions', 'Tasks taken from earlier work of this project.'],
  ['blueprint', 'Blueprints', 'A team for a kind of work, with its playbook.'],
] as const;

const playbooksResource = resourceOf('playbook.list', {});

const addressAt = (item?: string) => addressOf({ place: 'runs', view: 'playbooks', ...(item ? { item } : {}) });

export default function PlaybooksPage() {
  const { item } = useRoute();
  return item === undefined ? <List /> : <One key={item} name={item} />;
}

function List() {
  const { answer, error } = useResource(playbooksResource);
  return (
    <div className="playbooks">
      {answer === undefined ? (
        error === undefined ? (
          <Skeleton rows={8} />
        ) : (
          <Failure error={error} />
        )
      ) : (
        KINDS.map(([kind, title, about]) => {
          const rows = answer.playbooks.filter((row) => row.kind === kind);
          return rows.length === 0 ? null : (
            <section key={kind} className="playbooks-part" aria-label={title}>
              <h2>
                {title} <span className="count">{rows.length}</span>
              </h2>
              <p className="muted">{about}</p>
              <ul className="playbook-rows">
                {rows.map((row) => (
                  <li key={row.name} className="playbook-row">
                    <a className="playbook-link" data-row href={addressAt(row.name)}>
                      <span className="playbook-name">
                        {inert(row.name)}
                        {row.source === 'project' ? <span className="muted"> of this project</span> : null}
                      </span>
                      <span className="muted">{inert(row.problem ?? row.description)}</span>
                    </a>
                    <Start row={row} />
                  </li>
                ))}
              </ul>
            </section>
          );
        })
      )}
    </div>
  );
}

/** Opens the form of a playbook, which shows what it will do before it starts. */
function Start({ row, primary = false }: { readonly row: Row; readonly primary?: boolean }) {
  const refusal = useRefusal();
  return (
    <span className="playbook-acts">
      <button
        type="button"
        className={primary ? 'primary' : undefined}
        disabled={refusal !== undefined || row.problem !== undefined}
        title={refusal ?? row.problem}
        onClick={() => asked.set({ playbook: choiceOf(row) })}
      >
        Start…<span className="unseen"> {inert(row.name)}</span>
      </button>
      <CopyIcon text={row.start} />
    </span>
  );
}

function One({ name }: { readonly name: string }) {
  const resource = useMemo(() => resourceOf('playbook.show', { name }), [name]);
  const { answer, error } = useResource(resource);
  const row = useResource(playbooksResource).answer?.playbooks.find((one) => one.name === name);
  return (
    <div className="playbooks">
      <p>
        <a className="link" href={addressAt()}>
          All playbooks
        </a>
      </p>
      <div className="playbooks-head">
        <h1>{inert(name)}</h1>
        {row === undefined ? null : <Start row={row} primary />}
      </div>
      {answer === undefined ? (
        error === undefined ? (
          <Skeleton rows={6} />
        ) : (
          <Failure error={error} />
        )
      ) : (
        <Body shown={answer} row={row} />
      )}
    </div>
  );
}

function Body({ shown, row }: { readonly shown: Shown; readonly row: Row | undefined }) {
  const { workflow, function: fn, blueprint } = shown;
  const problem = row?.problem;
  return (
    <>
      <p className="playbook-about">{inert(row?.description ?? '')}</p>
      {problem === undefined ? null : (
        <p className="playbook-problem">
          {inert(problem)}
          {workflow?.trusted === false ? <CopyIcon text={`troupe trust workflow ${shellWord(workflow.id)}`} /> : null}
        </p>
      )}
      {workflow === undefined ? null : (
        <>
          <Flow nodes={workflow.nodes} loops={workflow.loops} />
          <Inputs inputs={workflow.inputs} />
          <Commands commands={workflow.commands} />
          <p className="muted playbook-origin">
            {inert(workflow.file)}, version {workflow.version}.
            {workflow.begins === null ? '' : ` Begins: ${inert(workflow.trigger)}.`}
          </p>
        </>
      )}
      {shown.kind === 'formation' ? (
        <p className="muted">Its line-up is made for your goal: seats, phases, cost. You accept or change it first.</p>
      ) : null}
      {fn === undefined ? null : (
        <>
          <Inputs
            inputs={(fn.inputs ?? []).map(({ name, description = '', required, default: usual }) => ({
              name,
              description,
              ...(required === true && usual === undefined
                ? {}
                : { default: usual === undefined ? '' : String(usual) }),
            }))}
          />
          <Words
            title="Tasks"
            rows={(fn.tasks ?? []).map(({ template_id: id, title, after = [] }) => [
              id,
              `${title}${after.length === 0 ? '' : `, after ${after.join(', ')}`}`,
            ])}
          />
        </>
      )}
      {blueprint === undefined ? null : (
        <Words
          title="Contents"
          rows={[
            ['Team', blueprint.roster.join(', ').replaceAll('-', ' ')],
            ['Playbooks', blueprint.workflows.join(', ')],
            ['Review', blueprint.review_policy.replaceAll('-', ' ')],
            ...(blueprint.bespoke_roles ?? []).map(({ title, charter }): [string, string] => [title, charter]),
          ]}
        />
      )}
    </>
  );
}

function Inputs({ inputs }: { readonly inputs: NonNullable<Shown['workflow']>['inputs'] }) {
  if (inputs.length === 0) return null;
  return (
    <section className="playbooks-part" aria-label="Inputs">
      <h2>Inputs</h2>
      <dl className="playbook-inputs">
        {inputs.map(({ name, description, default: usual }) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd>
              {inert(description)}
              <span className="muted">
                {usual === undefined ? ' · required' : usual === '' ? '' : ` · usually ${inert(usual)}`}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Commands({ commands }: { readonly commands: NonNullable<Shown['workflow']>['commands'] }) {
  return commands.length === 0 ? null : <Words title="Commands" rows={commands.map(({ node, run }) => [node, run])} />;
}

function Words({ title, rows }: { readonly title: string; readonly rows: readonly (readonly [string, string])[] }) {
  return (
    <section className="playbooks-part" aria-label={title}>
      <h2>{title}</h2>
      <dl className="playbook-inputs">
        {rows.map(([name, words]) => (
          <div key={`${name} ${words}`}>
            <dt>{inert(name)}</dt>
            <dd>{inert(words)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
