import { useId } from 'react';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';

type FunctionInput = NonNullable<NonNullable<Answer<'playbook.show'>['function']>['inputs']>[number];

/** A declared input of a workflow or a function, as a field of a form. */
export interface PlaybookInput {
  readonly name: string;
  readonly label: string;
  readonly type: FunctionInput['type'];
  readonly usual: string;
  readonly required: boolean;
  readonly values: readonly string[];
}

/** Inputs of a playbook beside its goal. Those of a workflow take the goal if nothing is given. */
export function inputsOf(shown: Answer<'playbook.show'> | undefined): readonly PlaybookInput[] {
  if (shown?.workflow !== undefined)
    return shown.workflow.inputs
      .filter(({ name }) => name !== 'goal')
      .map(({ name, description, default: usual = '' }) => ({
        ...{ name, label: description === '' ? name : description, type: 'string' as const, usual },
        ...{ required: false, values: [] },
      }));
  return (shown?.function?.inputs ?? []).map((input) => ({
    name: input.name,
    label: labelOf(input),
    type: input.type,
    usual: input.default === undefined || input.type === 'file_content' ? '' : textOf(input.default),
    required: input.required === true && input.default === undefined,
    values: (input.values ?? []).map(String),
  }));
}

/** Forms of values that their name does not tell. */
const FORMS: Partial<Record<FunctionInput['type'], string>> = {
  file_content: 'path of a file',
  file_list: 'files, with commas',
  json: 'JSON',
  url: 'address',
};

function labelOf({ name, description = '', type, min, max }: FunctionInput): string {
  const bounds = [min === undefined ? '' : `from ${min}`, max === undefined ? '' : `up to ${max}`];
  const facts = [FORMS[type] ?? '', ...bounds].filter((fact) => fact !== '').join(' ');
  return `${description === '' ? name : description}${facts === '' ? '' : ` (${facts})`}`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function InputField(props: {
  readonly input: PlaybookInput;
  readonly value: string;
  onChange(to: string): void;
}) {
  const { input, value, onChange } = props;
  const { label, type, usual, required, values } = input;
  const id = useId();
  const common = { id, value, required };
  return (
    <div className={type === 'text' || type === 'json' ? 'field is-wide' : 'field'}>
      <label htmlFor={id}>{inert(label)}</label>
      {type === 'enum' ? (
        <select {...common} onChange={({ target }) => onChange(target.value)}>
          <option value="">{usual === '' ? 'Choose' : `${inert(usual)} (usual)`}</option>
          {values.map((one) => (
            <option key={one} value={one}>
              {inert(one)}
            </option>
          ))}
        </select>
      ) : type === 'text' || type === 'json' ? (
        <textarea {...common} rows={3} placeholder={usual} onChange={({ target }) => onChange(target.value)} />
      ) : (
        <input
          {...common}
          type="text"
          inputMode={type === 'number' ? 'decimal' : 'text'}
          maxLength={2_000}
          placeholder={usual}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}
