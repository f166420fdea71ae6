import { useState } from 'react';
import { inert, shellWord } from '#kernel/text.js';
import { change } from '../../data/api.js';
import { openTask } from '../../data/route.js';
import { Decision } from '../../shell/Decision.js';
import { reload } from './requests.js';

/** Form that asks a single role for one pass over one task. */
export function AskRole({ names }: { readonly names: readonly string[] }) {
  const [chosen, setChosen] = useState('');
  const [target, setTarget] = useState('');
  const name = names.includes(chosen) ? chosen : (names[0] ?? '');
  const words = target.trim();
  const ask = async () => {
    const { id } = await change<{ id: string }>('POST', 'roles/as', { name, target: [words] });
    setTarget('');
    openTask(id);
    await reload();
  };
  return (
    <div className="ask-role">
      {names.length < 2 ? null : (
        <label className="field">
          Role
          <select value={name} onChange={(event) => setChosen(event.target.value)}>
            {names.map((one) => (
              <option key={one} value={one}>
                {inert(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label className="field">
        Target
        <textarea rows={2} value={target} onChange={(event) => setTarget(event.target.value)} />
      </label>
      <Decision
        label="Ask"
        about={name}
        command={`troupe roles as ${shellWord(inert(name))} ${words === '' ? 'TARGET' : shellWord(inert(words, true))}`}
        obstacle={words === '' ? 'Enter a target first.' : undefined}
        act={ask}
      />
    </div>
  );
}
