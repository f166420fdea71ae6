import pc from 'picocolors';
import { expect } from 'vitest';
import { renderers } from '#surfaces/cli/render/agency.js';
import { verifies } from '../verifies.js';

const CHANGES = [
  ...['role.add', 'role.edit', 'tradeoff.add', 'tradeoff.edit', 'identity.create', 'identity.edit'],
  ...['identity.provide', 'agency.remove', 'agency.restore'],
];

function shown(name: string, changed: boolean, retired: boolean): string {
  const lines: string[] = [];
  const print = { line: (text = '') => lines.push(text), aside: (text: string) => lines.push(text) };
  const answer = { id: 'a'.repeat(64), kind: 'role', name: 'Writer', changed, warnings: [], entity: { retired } };
  const render = (renderers as unknown as Record<string, (answer: unknown, screen: unknown) => void>)[name];
  render?.(answer, { width: 80, colour: pc.createColors(false), unicode: true, ...print });
  return lines.join('\n');
}

verifies('end.answer', 'a change of the agency is told as one, and what stayed as it was as that', () => {
  for (const name of CHANGES) {
    expect(shown(name, true, false), name).toBe('aaaaaaaa role Writer is saved.');
    expect(shown(name, true, true), name).toBe('aaaaaaaa role Writer is retired.');
    expect(shown(name, false, false), name).toBe('aaaaaaaa role Writer is unchanged.');
    expect(shown(name, false, true), name).toBe('aaaaaaaa role Writer is already retired.');
  }
});
