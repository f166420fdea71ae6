import { cellsOf, cutTo } from '#kernel/cells.js';
import { inert } from '#kernel/text.js';
import type { Screen } from './screen.js';
import { paintState, shownState, stateMark } from './status-mark.js';

interface Drawn {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly layer: number;
  readonly after: readonly string[];
}

const INDENT_MOST = 12;
const AFTER_MOST = 4;

/** Returns one line per task, indented by layer, with its predecessors or else its title. */
export function printLayers(tasks: readonly Drawn[], screen: Screen, marked?: string): string[] {
  return tasks.map((task) => {
    const state = shownState(task.status, false);
    const indent = '   '.repeat(Math.min(task.layer, INDENT_MOST));
    const mark = paintState(stateMark(state, screen).padEnd(15), state, screen);
    const name = inert(task.id);
    const label = task.id === marked ? screen.colour.bold(name) : name;
    const more = task.after.length > AFTER_MOST ? `, and ${task.after.length - AFTER_MOST} more` : '';
    const before = task.after.slice(0, AFTER_MOST).map((id) => inert(id));
    const after = before.length === 0 ? '' : `${screen.unicode ? '←' : '<-'} ${before.join(', ')}${more}`;
    const room = Math.max(8, screen.width - indent.length - 18 - cellsOf(name));
    return `${indent}${mark} ${label}  ${screen.colour.dim(cutTo(after === '' ? inert(task.title) : after, room))}`.trimEnd();
  });
}
