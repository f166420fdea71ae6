import { Store, useStore } from './store.js';

export const PAGES = ['now', 'graph', 'team'] as const;
export type Page = (typeof PAGES)[number];

/** Which page, and which task its drawer shows. Kept behind `#`, so that back, reload and bookmarks work. */
export interface Route {
  readonly page: Page;
  readonly task?: string;
}

const route = new Store<Route>(read());
window.addEventListener('hashchange', () => route.set(read()));

export function useRoute(): Route {
  return useStore(route);
}

export function addressOf(target: Route): string {
  return `#/${target.page}${target.task === undefined ? '' : `?task=${encodeURIComponent(target.task)}`}`;
}

export function goTo(target: Route): void {
  window.location.hash = addressOf(target);
}

/** Opens a task in the drawer of the present page; without an id the drawer closes. */
export function openTask(id?: string): void {
  const { page } = route.get();
  goTo(id === undefined ? { page } : { page, task: id });
}

function read(): Route {
  const [, name, query = ''] = /^#\/([a-z]+)(?:\?(.*))?$/.exec(window.location.hash) ?? [];
  const page = PAGES.find((known) => known === name) ?? 'now';
  const task = new URLSearchParams(query).get('task');
  return task === null || task === '' ? { page } : { page, task };
}
