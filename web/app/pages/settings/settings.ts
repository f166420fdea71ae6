import { inert, shellWord } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { change } from '../../data/api.js';
import { notice } from '../../data/notices.js';
import { resourceOf, workResource } from '../../data/resource.js';

export type Setting = Answer<'config.show'>['settings'][number];

export const settingsResource = resourceOf('config.show', {});

/** The value as it is typed; empty if it is not set. */
export const typedOf = ({ value }: Setting): string => (value === undefined ? '' : String(value));

/** Sets a value, or the default if it is empty, and offers the way back. Rejects with an ApiError. */
export async function saveSetting(row: Setting, typed: string): Promise<void> {
  const { warnings } = await apply(row.key, typed);
  const before = row.from === 'file' ? typedOf(row) : '';
  const isSet = typed !== '';
  notice.set({
    text: [`${row.about}: ${isSet ? inert(typed) : 'the default'}.`, ...warnings.map((text) => inert(text))].join(' '),
    back: { label: 'Undo', ids: [], run: () => apply(row.key, before) },
  });
}

async function apply(key: string, typed: string): Promise<Answer<'config.apply'>> {
  const answer = await change<Answer<'config.apply'>>('PATCH', 'settings', { settings: [`${key}=${typed}`] });
  await Promise.all([settingsResource.load(), workResource.load()]); // the top bar shows the budget
  return answer;
}

export function commandOf(key: string, typed: string): string {
  return typed === ''
    ? `troupe config set ${key} --unset`
    : `troupe config set ${key} ${shellWord(inert(typed, true))}`;
}
