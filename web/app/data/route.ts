import { Store, useStore } from './store.js';

export const PLACES = ['now', 'tasks', 'runs', 'team', 'spend', 'settings', 'machines'] as const;
export type Place = (typeof PLACES)[number];

/**
 * The address behind `#`: `#/PLACE/VIEW/ITEM?FILTERS&task=ID`. Stored in the fragment, so that back, reload and
 * bookmarks work.
 */
export interface Route {
  readonly place: Place;
  /** Tab or kind of page; the first of the place if absent. */
  readonly view?: string;
  /** The single thing shown, such as a role or a run. Needs a view. */
  readonly item?: string;
  /** Task in the drawer. */
  readonly task?: string;
  /** Parameters of the view. */
  readonly filters?: Readonly<Record<string, string>>;
}

/** Pages of earlier versions, in bookmarks and notes, and where they are now. */
const MOVED: Readonly<Record<string, Pick<Route, 'place' | 'view'>>> = {
  graph: { place: 'tasks', view: 'graph' },
  chat: { place: 'team', view: 'chat' },
  formations: { place: 'runs', view: 'list' },
  talent: { place: 'team', view: 'roles' },
  agency: { place: 'team', view: 'scores' },
};

const route = new Store<Route>(read());
window.addEventListener('hashchange', () => route.set(read()));

export function useRoute(): Route {
  return useStore(route);
}

export function addressOf({ place, view, item, task, filters }: Route): string {
  const parts = [place, view, item].filter((part) => part !== undefined).map(encodeURIComponent);
  const query = new URLSearchParams(filters);
  if (task !== undefined) query.set('task', task);
  return `#/${parts.join('/')}${query.size === 0 ? '' : `?${query}`}`;
}

export function goTo(target: Route): void {
  window.location.hash = addressOf(target);
}

/** Opens a task in the drawer of the current page; without an id, closes the drawer. */
export function openTask(id?: string): void {
  const { task: _, ...rest } = route.get();
  goTo(id === undefined ? rest : { ...rest, task: id });
}

/** Task that an address opens: in the drawer, or on a page of its own. */
export function taskAt(hash: string): string | undefined {
  const { place, view, item, task } = parsed(hash);
  return task ?? (place === 'tasks' && view === 'task' ? item : undefined);
}

/** Number of the row that an address asks for; the row is brought into view by `arrive`. */
export function useAt(): number | undefined {
  const at = Number(useRoute().filters?.['at']);
  return Number.isSafeInteger(at) && at > 0 ? at : undefined;
}

/** Ref of the row that an address asks for. */
export function arrive(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'center' });
}

/**
 * Sets filters of the current page; those that are undefined are removed. With `quietly`, back does not lead to the
 * former ones.
 */
export function filterBy(changed: Readonly<Record<string, string | undefined>>, quietly = false): void {
  const { filters, ...rest } = route.get();
  const kept = Object.entries({ ...filters, ...changed }).filter((entry): entry is [string, string] => !!entry[1]);
  const target = { ...rest, filters: Object.fromEntries(kept) };
  if (!quietly) goTo(target);
  else {
    window.history.replaceState(null, '', addressOf(target));
    route.set(read());
  }
}

function read(): Route {
  const target = parsed(window.location.hash);
  if (MOVED[/^#\/(\w+)/.exec(window.location.hash)?.[1] ?? ''] !== undefined)
    window.history.replaceState(null, '', addressOf(target));
  return target;
}

function parsed(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [name = '', ...others] = path.split('/').map(decoded);
  const { task, ...filters } = Object.fromEntries(new URLSearchParams(query));
  const moved = MOVED[name];
  const place = moved?.place ?? PLACES.find((candidate) => candidate === name) ?? 'now';
  const [view, item] = moved === undefined ? others : [moved.view, ...others];
  return {
    place,
    ...(view ? { view } : {}),
    ...(item ? { item } : {}),
    ...(task ? { task } : {}),
    ...(Object.keys(filters).length === 0 ? {} : { filters }),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
