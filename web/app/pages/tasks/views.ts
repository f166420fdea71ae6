import { Store } from '../../data/store.js';

/** A saved view: its name and the address behind `#`. */
export interface SavedView {
  readonly name: string;
  readonly address: string;
}

const KEY = 'troupe-task-views';

export const savedViews = new Store<readonly SavedView[]>(read());

/** Keeps the address without the open task; a view of that name is replaced. */
export function saveView(name: string, address: string): void {
  keep([...savedViews.get().filter((view) => view.name !== name), { name, address }]);
}

export function dropView(name: string): void {
  keep(savedViews.get().filter((view) => view.name !== name));
}

function keep(views: readonly SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(views));
  savedViews.set(views);
}

function read(): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('address' in value)) return false;
  return typeof value.name === 'string' && typeof value.address === 'string' && value.address.startsWith('#/tasks');
}
