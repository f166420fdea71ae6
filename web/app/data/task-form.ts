import { Store } from './store.js';

/** The form in sight: of a new task, or of one that is edited. */
export type TaskFormState = { readonly kind: 'new' } | { readonly kind: 'edit'; readonly id: string } | undefined;

export const taskForm = new Store<TaskFormState>(undefined);

export const newTask = (): void => taskForm.set({ kind: 'new' });
export const editTask = (id: string): void => taskForm.set({ kind: 'edit', id });
