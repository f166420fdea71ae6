import { type FormEvent, useState } from 'react';
import { inert, shellWord } from '#kernel/text.js';
import { useAction } from '../../data/action.js';
import { change } from '../../data/api.js';
import { goTo } from '../../data/route.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure } from '../../shell/Skeleton.js';
import type { Run } from './runs.js';

const KINDS = [
  { kind: 'crew', label: 'Crew: deliver it', command: 'crew' },
  { kind: 'panel', label: 'Panel: decide it', command: 'panel' },
  { kind: 'sweep', label: 'Sweep: research it', command: 'formation sweep' },
  { kind: 'chain', label: 'Chain: one after another', command: 'chain' },
] as const;
const MODES = [
  ['checkpoint', 'You review after each phase'],
  ['co-drive', 'You brief each phase'],
  ['autopilot', 'You approve only the release'],
] as const;
const STYLES = ['swarm', 'round-table', 'director', 'relay', 'adversarial'];
const CHAINS = ['research,panel,crew', 'research,panel', 'panel,crew', 'research,crew'];

/** Form that proposes a run; its line-up must be accepted before it starts. */
export function NewRun({ onCancel }: { readonly onCancel: (() => void) | undefined }) {
  const [kind, setKind] = useState<(typeof KINDS)[number]['kind']>('crew');
  const [typed, setTyped] = useState('');
  const [mode, setMode] = useState<string>(MODES[0][0]);
  const [style, setStyle] = useState(STYLES[0] ?? '');
  const [stages, setStages] = useState(CHAINS[0] ?? '');
  const { busy, trouble, run } = useAction();
  const refusal = useRefusal();
  const goal = typed.trim();
  const option = {
    crew: { flag: `--mode ${mode}`, fields: { mode } },
    panel: { flag: `--style ${style}`, fields: { style } },
    sweep: { flag: '', fields: {} },
    chain: { flag: `--stages ${stages}`, fields: { stages: stages.split(',') } },
  }[kind];
  const command = KINDS.find((one) => one.kind === kind)?.command ?? kind;
  const propose = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const proposed = await change<Run>('POST', `formation/${kind}`, { goal, ...option.fields });
      goTo({ place: 'runs', view: 'list', item: proposed.run });
    });
  };
  return (
    <form className="card new-run" aria-label="New run" onSubmit={propose}>
      <div className="new-run-fields">
        <label className="field">
          Formation
          <select
            value={kind}
            onChange={({ target }) => setKind(KINDS.find((one) => one.kind === target.value)?.kind ?? 'crew')}
          >
            {KINDS.map((one) => (
              <option key={one.kind} value={one.kind}>
                {one.label}
              </option>
            ))}
          </select>
        </label>
        {kind === 'crew' ? (
          <label className="field">
            Your role
            <select value={mode} onChange={({ target }) => setMode(target.value)}>
              {MODES.map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        {kind === 'panel' ? <Choice label="Style" values={STYLES} value={style} onChoose={setStyle} /> : null}
        {kind === 'chain' ? <Choice label="Stages" values={CHAINS} value={stages} onChoose={setStages} /> : null}
      </div>
      <label className="field">
        Goal
        <textarea rows={2} maxLength={2_000} value={typed} onChange={(event) => setTyped(event.target.value)} />
      </label>
      {trouble === undefined ? null : <Failure error={trouble} />}
      <div className="buttons">
        <button type="submit" className="primary" disabled={busy || goal === '' || refusal !== undefined}>
          Propose a line-up
        </button>
        {onCancel === undefined ? null : (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <CopyIcon
          text={`troupe ${command} ${goal === '' ? 'GOAL' : shellWord(inert(goal, true))}${option.flag === '' ? '' : ` ${option.flag}`}`}
        />
        {refusal === undefined ? null : <span className="muted">{refusal}</span>}
      </div>
    </form>
  );
}

function Choice(props: {
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string;
  onChoose(value: string): void;
}) {
  const { label, values, value, onChoose } = props;
  return (
    <label className="field">
      {label}
      <select value={value} onChange={({ target }) => onChoose(target.value)}>
        {values.map((one) => (
          <option key={one} value={one}>
            {one.replaceAll(',', ', ')}
          </option>
        ))}
      </select>
    </label>
  );
}
