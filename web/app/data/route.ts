import { Store, useStore } from './store.js';

export const PAGES = ['now', 'graph', 'team', 'chat', 'formations', 'talent', 'agency', 'machines'] as const;
export type Page = (typeof PAGES)[number];

/**
 * The page, the single item shown on it (a role, a run), the task in the drawer, and the states shown in the graph
 * (joined by `,`; all if absent). Stored in the fragment, so that back, reload and bookmarks work.
 */
export interface Route {
  readonly page: Page;
  readonly item?: string;
  readonly task?: string;
  readonly state?: string;
}

const route = new Store<Route>(read());
window.addEventListener('hashchange', () => route.set(read()));

export function useRoute(): Route {
  return useStore(route);
}

export function addressOf({ page, item, task, state }: Route): string {
  const query = new URLSearchParams();
  if (state !== undefined) query.set('state', state);
  if (task !== undefined) query.set('task', task);
  return `#/${page}${item === undefined ? '' : `/${encodeURIComponent(item)}`}${query.size === 0 ? '' : `?${query}`}`;
}

export function goTo(target: Route): void {
  window.location.hash = addressOf(target);
}

/** Opens a task in the drawer of the current page; without an id, closes the drawer. */
export function openTask(id?: string): void {
  const { task: _, ...rest } = route.get();
  goTo(id === undefined ? rest : { ...rest, task: id });
}

function read(): Route {
  const [, name, word = '', query = ''] = /^#\/([a-z]+)(?:\/([\w.-]+))?(?:\?(.*))?$/.exec(window.location.hash) ?? [];
  const page = PAGES.find((candidate) => candidate === name) ?? 'now';
  const parameters = new URLSearchParams(query);
  const [task, state] = [parameters.get('task'), parameters.get('state')];
  return { page, ...(word ? { item: word } : {}), ...(task ? { task } : {}), ...(state ? { state } : {}) };
}
