import { CheckboxItem, Content, ItemIndicator, Portal, Root, Trigger } from '@radix-ui/react-dropdown-menu';
import { type ReactNode, useEffect, useState } from 'react';
import { SHOWN_STATES, STATUS_LOOK } from '#core/graph/status-look.js';
import { TASK_PROPERTIES, type TaskProperty, WITHOUT } from '#core/insight/task-properties.js';
import { inert, plural } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { filterBy, useRoute } from '../../data/route.js';
import { Glyph } from '../../status/Status.js';
import { joined, queryOf, valuesOf } from './query.js';
import { ViewsMenu } from './ViewsMenu.js';

const choicesResource = resourceOf('graph.choices', {});

export const PROPERTY_WORDS: Readonly<Record<TaskProperty, string>> = {
  state: 'State',
  member: 'Member',
  tag: 'Tag',
  playbook: 'Playbook',
  worker: 'Worker',
};

/** Conditions for the tasks on the page, kept in the address. `children` are the controls of the view. */
export function FilterBar({ total, children }: { readonly total: number | undefined; readonly children?: ReactNode }) {
  const { filters } = useRoute();
  const { answer } = useResource(choicesResource);
  const isFiltered = Object.keys(queryOf(filters)).length > 0;
  return (
    <div className="filters">
      <Words />
      {TASK_PROPERTIES.map((property) => (
        <Choice
          key={property}
          property={property}
          choices={choicesOf(property, answer)}
          picked={valuesOf(filters, property)}
        />
      ))}
      {isFiltered ? (
        <button
          type="button"
          className="quiet"
          onClick={() =>
            filterBy({ q: undefined, ...Object.fromEntries(TASK_PROPERTIES.map((one) => [one, undefined])) })
          }
        >
          Clear
        </button>
      ) : null}
      <p className="muted number filters-total" role="status">
        {total === undefined ? '' : plural(total, 'task')}
      </p>
      {children}
      <ViewsMenu />
    </div>
  );
}

const TYPING_MS = 200;

/** Words in title, id or member. Written to the address when typing pauses. */
function Words() {
  const { filters } = useRoute();
  const kept = filters?.['q'] ?? '';
  const [words, setWords] = useState(kept);
  useEffect(() => setWords(kept), [kept]);
  useEffect(() => {
    if (words === kept) return undefined;
    const timer = setTimeout(() => filterBy({ q: words || undefined }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [words, kept]);
  return (
    <input
      type="search"
      className="filters-words"
      aria-label="Filter by words"
      placeholder="Filter by words"
      spellCheck={false}
      value={words}
      onChange={(event) => setWords(event.target.value)}
    />
  );
}

interface OneChoice {
  readonly value: string;
  readonly label: ReactNode;
  readonly count?: number;
}

function choicesOf(property: TaskProperty, answer: Answer<'graph.choices'> | undefined): readonly OneChoice[] {
  if (property === 'state')
    return SHOWN_STATES.map((state) => ({
      value: state,
      label: (
        <span className={`is-${state}`}>
          <Glyph state={state} /> {STATUS_LOOK[state].word}
        </span>
      ),
    }));
  const own = (answer?.[property] ?? []).map(({ value, count }) => ({ value, label: inert(value), count }));
  return own.length === 0 ? [] : [...own, { value: WITHOUT, label: <span className="muted">none</span> }];
}

/** Menu of the values of one property, of which several can be picked. Missing if no task has the property. */
function Choice(props: {
  readonly property: TaskProperty;
  readonly choices: readonly OneChoice[];
  readonly picked: readonly string[];
}) {
  const { property, choices, picked } = props;
  if (choices.length === 0 && picked.length === 0) return null;
  const others = picked
    .filter((value) => !choices.some((choice) => choice.value === value))
    .map((value): OneChoice => ({ value, label: inert(value) }));
  const toggle = (value: string) => {
    const next = picked.includes(value) ? picked.filter((other) => other !== value) : [...picked, value];
    filterBy({ [property]: joined(next) });
  };
  return (
    <Root modal={false}>
      <Trigger className={picked.length === 0 ? 'choice' : 'choice is-picked'}>
        {PROPERTY_WORDS[property]}
        {picked.length === 0 ? null : <span className="choice-picked">{wordsOf(property, picked)}</span>}
        <span aria-hidden="true">▾</span>
      </Trigger>
      <Portal>
        <Content className="menu" align="start" sideOffset={4} collisionPadding={8}>
          {[...choices, ...others].map(({ value, label, count }) => (
            <CheckboxItem
              key={value}
              className="menu-item"
              checked={picked.includes(value)}
              onCheckedChange={() => toggle(value)}
              onSelect={(event) => event.preventDefault()}
            >
              <span className="menu-check" aria-hidden="true">
                <ItemIndicator>✓</ItemIndicator>
              </span>
              <span className="menu-label">{label}</span>
              {count === undefined ? null : <span className="count">{count}</span>}
            </CheckboxItem>
          ))}
        </Content>
      </Portal>
    </Root>
  );
}

function wordsOf(property: TaskProperty, picked: readonly string[]): string {
  const words = picked.map((value) => {
    const state = property === 'state' ? SHOWN_STATES.find((candidate) => candidate === value) : undefined;
    return state !== undefined ? STATUS_LOOK[state].word : value === WITHOUT ? 'none' : inert(value);
  });
  return words.length > 2 ? `${words.length}` : words.join(', ');
}

/** Chooses one property, such as that of the groups; kept in the address under `field`. */
export function PropertySelect(props: { readonly field: string; readonly label: string; readonly none: string }) {
  const { field, label, none } = props;
  const { filters } = useRoute();
  return (
    <label className="choice-select">
      <span className="unseen">{label}</span>
      <select
        value={filters?.[field] ?? ''}
        onChange={({ target }) => filterBy({ [field]: target.value || undefined })}
      >
        <option value="">{none}</option>
        {TASK_PROPERTIES.map((property) => (
          <option key={property} value={property}>
            {label} {PROPERTY_WORDS[property].toLowerCase()}
          </option>
        ))}
      </select>
    </label>
  );
}
