import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';
import { printTable } from '../table.js';

/** `resource add` and `resource list`. */
export function render(
  { resource, changed, resources }: AnswerOf<'resource.add' | 'resource.list'>,
  screen: Screen,
): void {
  if (resource !== undefined) {
    screen.line(changed === true ? `${inert(resource)} is noted` : `${inert(resource)} was so already`);
    return;
  }
  if (!resources || resources.length === 0) {
    screen.line('No resources. Add one with `troupe resource add budget --available 500 --unit usd`.');
    return;
  }
  const text = (field: string) => (row: Readonly<Record<string, unknown>>) => {
    const value = row[field];
    return typeof value === 'string' || typeof value === 'number' ? inert(String(value)) : '';
  };
  printTable(screen, resources, [
    { title: 'ID', text: text('id') },
    { title: 'TYPE', text: text('type') },
    { title: 'AVAILABLE', text: text('available'), right: true },
    { title: 'UNIT', text: text('unit') },
    { title: 'NAME', text: text('name'), flexible: true },
  ]);
}
