import { compareText } from '#kernel/order.js';
import { inert } from '#kernel/text.js';
import type { CoreRole } from './lane.js';

/** The text of `registry.md`: every core role by name, with its charter. Lanes are not in it. */
export function indexTable(cores: ReadonlyMap<string, CoreRole>): string {
  const rows = [...cores.values()]
    .sort((left, right) => compareText(left.name, right.name))
    .map(({ name, charter }) => `| ${name} | ${cell(charter)} |`);
  return `${['<!-- Made by `troupe roles index`: what is written here is lost. -->', '', '| Role | Charter |', '| --- | --- |', ...rows].join('\n')}\n`;
}

/** A backslash before a pipe would take its escape away. */
function cell(text: string): string {
  return inert(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|').trim();
}
