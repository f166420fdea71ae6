import { useState } from 'react';
import { inert } from '#kernel/text.js';
import type { CatalogGrouping, ProposalAnswer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { change } from '../../data/api.js';
import { useResource } from '../../data/resource.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure } from '../../shell/Skeleton.js';
import { archetypes, groupings, type ProposalWish, proposeCommand, universes } from './requests.js';

const WAYS = [
  { way: 'goal', label: 'From a goal', about: 'Describe what the team is for.' },
  { way: 'template', label: 'From a template', about: 'Start with a ready-made group; select members.' },
  { way: 'analysis', label: 'From this project', about: 'Based on its languages, tests and documents.' },
] as const;
type Way = (typeof WAYS)[number]['way'];

/** First step of casting: the method of selection. Only ticked roles are proposed. */
export function Propose(props: {
  readonly base: string;
  onProposed(): void;
  readonly onCancel: (() => void) | undefined;
}) {
  const [way, setWay] = useState<Way>('goal');
  const [goal, setGoal] = useState('');
  const [size, setSize] = useState('');
  const [template, setTemplate] = useState<CatalogGrouping>();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [universe, setUniverse] = useState('');
  const { busy, trouble, run } = useAction();
  const templates = useResource(groupings).answer?.entries ?? [];
  const pools = useResource(universes).answer?.entries ?? [];
  const choose = (id: string) => {
    const match = templates.find((entry) => entry.id === id);
    setTemplate(match);
    setTicked(new Set(match?.archetypes));
  };
  const teamSize = size === '' ? {} : { team_size: Number(size) };
  const source: ProposalWish =
    way === 'goal'
      ? { mode: 'free_text', goal, ...teamSize }
      : way === 'analysis'
        ? { mode: 'analysis', ...teamSize }
        : template !== undefined && sameSet(template.archetypes, ticked)
          ? { mode: 'scenario', scenario_id: template.id }
          : { mode: 'manual', archetype_ids: [...ticked] };
  const wish = { ...source, ...(universe === '' ? {} : { universe }) };
  const ready = way === 'goal' ? goal.trim() !== '' : way === 'analysis' || ticked.size > 0;
  const propose = () =>
    run(async () => {
      await change<ProposalAnswer>('POST', `${props.base}/casting/proposals`, wish);
      props.onProposed();
    });
  return (
    <section aria-label="Propose a team" className="wizard">
      <h2>Propose a team</h2>
      <p className="muted">A proposal changes no files. You review it first.</p>
      <fieldset className="ways">
        <legend className="unseen">How the team is chosen</legend>
        {WAYS.map((entry) => (
          <label key={entry.way} className={entry.way === way ? 'way is-chosen' : 'way'}>
            <input type="radio" name="way" checked={entry.way === way} onChange={() => setWay(entry.way)} />
            <span>
              <strong>{entry.label}</strong>
              <span className="muted">{entry.about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {way === 'goal' ? (
        <label className="field">
          Goal
          <textarea rows={3} maxLength={2000} value={goal} onChange={(event) => setGoal(event.target.value)} />
        </label>
      ) : null}
      {way === 'template' ? (
        <>
          <label className="field">
            Template
            <select value={template?.id ?? ''} onChange={(event) => choose(event.target.value)}>
              <option value="">None: select members</option>
              {templates.map((entry) => (
                <option key={entry.id} value={entry.id}>
                  {inert(entry.title)}
                </option>
              ))}
            </select>
          </label>
          {template === undefined ? null : <p className="muted">{inert(template.description)}</p>}
          <Ticks ticked={ticked} onChange={setTicked} />
        </>
      ) : null}
      <div className="field-row">
        {way === 'template' ? null : (
          <label className="field">
            Members
            <select value={size} onChange={(event) => setSize(event.target.value)}>
              <option value="">automatic</option>
              {Array.from({ length: 20 }, (_, index) => index + 1).map((count) => (
                <option key={count}>{count}</option>
              ))}
            </select>
          </label>
        )}
        <label className="field">
          Names from
          <select value={universe} onChange={(event) => setUniverse(event.target.value)}>
            <option value="">automatic</option>
            {pools.map(({ name }) => (
              <option key={name}>{inert(name)}</option>
            ))}
          </select>
        </label>
      </div>
      {trouble === undefined ? null : <Failure error={trouble} />}
      <div className="buttons">
        <button type="button" className="primary" disabled={busy || !ready} onClick={() => void propose()}>
          {busy ? 'Choosing' : 'Propose'}
        </button>
        {ready ? <CopyIcon text={proposeCommand(wish)} /> : null}
        {props.onCancel === undefined ? null : (
          <button type="button" onClick={props.onCancel}>
            Cancel
          </button>
        )}
      </div>
    </section>
  );
}

const sameSet = (list: readonly string[], set: ReadonlySet<string>): boolean =>
  list.length === set.size && list.every((entry) => set.has(entry));

/** Checkboxes of all roles that can be cast, by domain. */
function Ticks({
  ticked,
  onChange,
}: {
  readonly ticked: ReadonlySet<string>;
  onChange(next: ReadonlySet<string>): void;
}) {
  const entries = useResource(archetypes).answer?.entries ?? [];
  const domains = [...new Set(entries.map((entry) => entry.domain))];
  const toggle = (id: string) => {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <div className="ticks">
      {domains.map((domain) => (
        <fieldset key={domain}>
          <legend>{inert(domain)}</legend>
          {entries
            .filter((entry) => entry.domain === domain)
            .map((entry) => (
              <label key={entry.id} title={inert(entry.summary)}>
                <input type="checkbox" checked={ticked.has(entry.id)} onChange={() => toggle(entry.id)} />
                {inert(entry.title)}
              </label>
            ))}
        </fieldset>
      ))}
    </div>
  );
}
