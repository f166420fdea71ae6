import { SHOWN_STATES } from '#core/graph/status-look.js';
import { SORTS, type Sort, TASK_PROPERTIES, type TaskProperty } from '#core/insight/task-properties.js';
import type { ApiInput } from '#surfaces/http/contract.js';
import type { Route } from '../../data/route.js';

export type Filters = NonNullable<Route['filters']>;

/** Values of a filter in an address, joined by commas. */
export function valuesOf(filters: Filters | undefined, property: TaskProperty): readonly string[] {
  return (filters?.[property] ?? '')
    .split(',')
    .filter(Boolean)
    .map((value) => value.replaceAll('%2C', ',').replaceAll('%25', '%'));
}

/** The same way back; an empty text for no values. */
export function joined(values: readonly string[]): string {
  return values.map((value) => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
}

const isState = (word: string): word is (typeof SHOWN_STATES)[number] => SHOWN_STATES.some((state) => state === word);

type Query = Pick<ApiInput<'graph.picture'>, 'search' | TaskProperty>;

/** Conditions of the address, as the operations take them. */
export function queryOf(filters: Filters | undefined): Query {
  const search = filters?.['q'];
  const query: { -readonly [Field in keyof Query]: Query[Field] } = search ? { search } : {};
  for (const property of TASK_PROPERTIES) {
    const values = valuesOf(filters, property);
    if (values.length === 0) continue;
    if (property === 'state') query.state = values.filter(isState);
    else query[property] = [...values];
  }
  return query;
}

export interface Order {
  readonly sort: Sort;
  readonly descending: boolean;
}

/** Sort of the address: `started`, or `-started` for the last one first. */
export function orderOf(filters: Filters | undefined): Order | undefined {
  const word = filters?.['sort'] ?? '';
  const sort = SORTS.find((candidate) => candidate === word.replace(/^-/, ''));
  return sort === undefined ? undefined : { sort, descending: word.startsWith('-') };
}

export function propertyOf(word: string | undefined): TaskProperty | undefined {
  return TASK_PROPERTIES.find((candidate) => candidate === word);
}
