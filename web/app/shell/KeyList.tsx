import { useEffect, useRef } from 'react';
import { goTo, taskAt } from '../data/route.js';
import { editTask, newTask } from '../data/task-form.js';
import { asked } from '../pages/do/asked.js';
import { Dialog } from './Dialog.js';
import { GO_KEYS } from './places.js';

const KEY_LIST: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  ...GO_KEYS.map(({ key, label }) => ({ keys: ['g', key], does: `Go to ${label}` })),
  { keys: ['j'], does: 'Next in the list' },
  { keys: ['k'], does: 'Previous in the list' },
  { keys: ['Enter'], does: 'Open it' },
  { keys: ['a'], does: 'Approve the row or the open task, or its first act; Enter confirms' },
  { keys: ['r'], does: 'Reject it with a reason' },
  { keys: ['l'], does: 'Approve the reviewed task and land it; Enter confirms' },
  { keys: ['c'], does: 'Comment on the line at which the arrows are, in a file of a review' },
  { keys: ['u'], does: 'Undo, as long as the notice is shown' },
  { keys: ['d'], does: 'Say what should be done' },
  { keys: ['n'], does: 'New task' },
  { keys: ['e'], does: 'Edit the task of the row, or the open one' },
  { keys: ['/'], does: 'Search, also Ctrl+K' },
  { keys: ['Esc'], does: 'Close the open panel' },
  { keys: ['?'], does: 'Show this list' },
];

interface KeyActions {
  search(): void;
  keyList(): void;
  escape(): void;
}

/**
 * Handles the keys that work on all pages. Text fields and open dialogs keep their keys; a dialog that was just closed
 * may hold the focus until the next render.
 */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let inChord = false;
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.key === 'k' && (event.ctrlKey || event.metaKey) && document.querySelector('dialog[open]') === null) {
        event.preventDefault();
        latest.current.search();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === 'Escape' && document.querySelector(':popover-open') !== null) return; // the browser closes it
      if (target instanceof HTMLElement && target.closest('input, textarea, select, dialog[open]') !== null) return;
      const begun = inChord;
      inChord = false;
      const goal = begun ? GO_KEYS.find(({ key }) => key === event.key) : undefined;
      if (goal !== undefined) goTo(goal.route);
      else if (begun)
        return; // a letter after g is never a key of its own, at any delay
      else if (event.key === 'g') inChord = true;
      else if (event.key === 'j') step(1);
      else if (event.key === 'k') step(-1);
      else if (event.key === 'a' || event.key === 'r' || event.key === 'l') decide(event.key);
      else if (event.key === 'u') document.querySelector<HTMLButtonElement>('.notice [data-key="u"]')?.click();
      else if (event.key === 'd') asked.set({});
      else if (event.key === 'n') newTask();
      else if (event.key === 'e') editAt();
      else if (event.key === '/') latest.current.search();
      else if (event.key === '?') latest.current.keyList();
      else if (event.key === 'Escape') latest.current.escape();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** Moves the focus to the next or previous row: any task, role or run on the page, in reading order. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const current = rows.indexOf(document.activeElement as HTMLElement);
  const next = current === -1 ? (by === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, current + by));
  rows[next]?.focus();
}

/**
 * Begins the decision of a key: in the row that has the focus or below a reviewed task, where a click asks or can be
 * undone; in the drawer it only moves the focus.
 */
function decide(key: 'a' | 'r' | 'l'): void {
  const find = (part: ParentNode | null | undefined) => part?.querySelector<HTMLElement>(`[data-key="${key}"]`);
  const act = find(document.activeElement?.closest('main [data-entry]'));
  const drawer = document.querySelector('.drawer');
  if (act) act.click();
  else if (drawer !== null) find(drawer)?.focus();
  else find(document.querySelector('.verdict-bar'))?.click();
}

/** Edits the task of the row that has the focus, or the open one. */
function editAt(): void {
  const row = document.activeElement?.closest<HTMLAnchorElement>('main a[data-row]');
  const id = (row ? taskAt(row.hash) : undefined) ?? taskAt(window.location.hash);
  if (id !== undefined) editTask(id);
}

export function KeyList({ onClose }: { onClose(): void }) {
  return (
    <Dialog label="Keys" className="keys-dialog" onClose={onClose}>
      <h2>Keys</h2>
      <dl>
        {KEY_LIST.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
                <kbd key={index}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
