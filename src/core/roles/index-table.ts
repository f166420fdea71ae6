import { compareText } from '#kernel/order.js';
import { inert } from '#kernel/text.js';
import type { CoreRole } from './lane.js';

/** Text of `registry.md`: all core roles by name, with their charters. Lanes are not included. */
export function indexTable(cores: ReadonlyMap<string, CoreRole>): string {
  const rows = [...cores.values()]
    .sort((left, right) => compareText(left.name, right.name))
    .map(({ name, charter }) => `| ${name} | ${cell(charter)} |`);
  return `${['<!-- Made by `troupe roles index`: what is written here is lost. -->', '', '| Role | Charter |', '| --- | --- |', ...rows].join('\n')}\n`;
}

/** Backslashes are escaped too: one before a pipe would cancel its escape. */
function cell(text: string): string {
  return inert(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|').trim();
}
