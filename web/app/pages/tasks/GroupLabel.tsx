import { SHOWN_STATES } from '#core/graph/status-look.js';
import type { TaskProperty } from '#core/insight/task-properties.js';
import { inert } from '#kernel/text.js';
import { StatusWord } from '../../status/Status.js';

const WITHOUT_WORDS: Readonly<Record<TaskProperty, string>> = {
  state: 'Without a state',
  member: 'Nobody',
  tag: 'Without a tag',
  playbook: 'Without a playbook',
  worker: 'At no worker',
};

/** Name of a group of tasks with the same value. */
export function GroupLabel({ by, value }: { readonly by: TaskProperty; readonly value: string | undefined }) {
  const state = by === 'state' ? SHOWN_STATES.find((candidate) => candidate === value) : undefined;
  if (state !== undefined) return <StatusWord state={state} />;
  return value === undefined ? <span className="muted">{WITHOUT_WORDS[by]}</span> : inert(value);
}
