import { useEffect, useId, useState } from 'react';
import { inert } from '#kernel/text.js';
import { useAction } from '../../data/action.js';
import { useResource } from '../../data/resource.js';
import { useRefusal } from '../../data/visitor.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import './settings.css';
import { commandOf, type Setting, saveSetting, settingsResource, typedOf } from './settings.js';

/** Settings with these keys, in this order. What is typed is saved when the field is left. */
export function SettingList({ keys }: { readonly keys: readonly string[] }) {
  const { answer, error } = useResource(settingsResource);
  if (answer === undefined) return error === undefined ? <Skeleton rows={keys.length} /> : <Failure error={error} />;
  const rows = keys.flatMap((key) => answer.settings.find((row) => row.key === key) ?? []);
  return (
    <ul className="settings-list">
      {rows.map((row) => (
        <SettingField key={row.key} row={row} />
      ))}
    </ul>
  );
}

export function SettingField({ row, options }: { readonly row: Setting; readonly options?: readonly string[] }) {
  const saved = typedOf(row);
  const [typed, setTyped] = useState(saved);
  useEffect(() => setTyped(saved), [saved]);
  const { busy, trouble, run } = useAction();
  const refusal = useRefusal();
  const [field, reason] = [useId(), useId()];
  const save = (value: string) => {
    setTyped(value);
    if (value !== saved && refusal === undefined) void run(() => saveSetting(row, value));
  };
  const shared = {
    id: field,
    disabled: refusal !== undefined,
    'aria-busy': busy,
    'aria-invalid': trouble !== undefined,
    'aria-describedby': reason,
  };
  const choices = options ?? (row.kind === 'choice' ? row.choices : undefined);
  return (
    <li className="setting">
      <div className="setting-words">
        {row.kind === 'choices' ? (
          <span id={`${field}-label`}>{row.about}</span>
        ) : (
          <label htmlFor={field}>{row.about}</label>
        )}
        <p className="muted" id={reason}>
          <code className="mono">{row.key}</code>
          {row.guarded === true ? ' · counts once you trust this project' : ''}
        </p>
      </div>
      <div className="setting-value">
        {row.kind === 'flag' ? (
          <input
            {...shared}
            type="checkbox"
            role="switch"
            aria-checked={typed === 'true'}
            className="switch"
            checked={typed === 'true'}
            onChange={({ target }) => save(String(target.checked))}
          />
        ) : row.kind === 'choices' ? (
          <Several row={row} typed={typed} disabled={refusal !== undefined} label={`${field}-label`} onSave={save} />
        ) : choices === undefined ? (
          <input
            {...shared}
            type="text"
            inputMode={row.kind === 'number' ? 'decimal' : 'text'}
            className={row.kind === 'number' ? 'is-short' : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder={row.usual === undefined || row.usual === '' ? 'not set' : row.usual}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onBlur={() => save(typed.trim())}
            onKeyDown={(event) => {
              if (event.key === 'Enter') save(typed.trim());
              if (event.key !== 'Escape') return;
              setTyped(saved);
              event.stopPropagation();
            }}
          />
        ) : (
          <select {...shared} value={typed} onChange={({ target }) => save(target.value)}>
            {row.usual === undefined ? <option value="">not set</option> : null}
            {[...new Set([...choices, ...(typed === '' ? [] : [typed])])].map((choice) => (
              <option key={choice} value={choice}>
                {inert(choice)}
              </option>
            ))}
          </select>
        )}
        <span className="setting-acts">
          {row.from === 'file' && refusal === undefined ? (
            <button type="button" className="quiet" disabled={busy} onClick={() => save('')}>
              Reset<span className="unseen"> {row.about}</span>
            </button>
          ) : null}
          <CopyIcon text={commandOf(row.key, typed)} />
        </span>
      </div>
      {trouble === undefined ? null : (
        <div className="setting-trouble">
          <Failure error={trouble} />
        </div>
      )}
    </li>
  );
}

/** A list with fixed entries, as boxes to tick. */
function Several(props: {
  readonly row: Setting;
  readonly typed: string;
  readonly disabled: boolean;
  readonly label: string;
  onSave(value: string): void;
}) {
  const { row, typed, disabled, label, onSave } = props;
  const chosen = typed.split(',').filter((one) => one !== '');
  return (
    <fieldset className="setting-several" aria-labelledby={label}>
      {(row.choices ?? []).map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            // An empty list is no value that can be typed: the last one stays.
            disabled={disabled || (chosen.length === 1 && chosen.includes(choice))}
            onChange={({ target }) =>
              onSave(
                (row.choices ?? []).filter((one) => (one === choice ? target.checked : chosen.includes(one))).join(','),
              )
            }
          />
          {choice}
        </label>
      ))}
    </fieldset>
  );
}
