import { expect, test } from 'vitest';
import type { TroupeError } from '#kernel/errors.js';
import { callOperation } from '#operations/call.js';
import { GRAPH_ROWS } from '#operations/graph-rows.js';
import { OPERATIONS } from '#operations/table.js';
import { OWN_COMMANDS } from '#surfaces/cli/command.js';
import { world } from '../e2e/world.js';

const spec = (name: string) => {
  const found = OPERATIONS.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`No operation ${name}`);
  return found;
};

test('a refusal names the field, and what was expected there', async () => {
  const { context } = world();
  const said = async (name: string, input: unknown) =>
    callOperation(spec(name), context, input).then(
      () => 'accepted',
      (error) => `${error.code}: ${error.message}`,
    );
  expect(await said('task.add', { title: 'x', exec_mode: 'nonsense' })).toBe(
    'bad_input: exec_mode must be one of full, light, bare, shell, not "nonsense".',
  );
  expect(await said('review.inspect', { name: 'everything' })).toMatch(/^bad_input: name must be one of prepare, /);
  expect(await said('task.show', {})).toBe('bad_input: id is missing.');
  expect(await said('task.show', { id: 'a', colour: 1 })).toBe('bad_input: colour is an unknown field.');
  expect(await said('task.output', { id: 'a', bytes: 0 })).toBe('bad_input: bytes must be at least 1.');
});

test('the values that flags name are those that the schemas take', async () => {
  const { context } = world();
  const named = OPERATIONS.flatMap((each) =>
    (each.options ?? []).flatMap((option) => (option.values ? [{ each, option, values: option.values }] : [])),
  );
  expect(named.length).toBeGreaterThan(1);
  for (const { each, option, values } of named) {
    const input = {
      ...Object.fromEntries((each.arguments ?? []).map(({ field, many }) => [field, many ? ['x'] : 'x'])),
      [option.field]: option.type === 'list' ? ['?'] : '?',
    };
    // Other fields may be missing too: what is wrong with this one stands among the details.
    const refused = await callOperation(each, context, input).catch((error: TroupeError) => error.details['issues']);
    expect(JSON.stringify(refused), each.command).toContain(`must be one of ${values.join(', ')}, not`);
  }
});

test('no verb elsewhere begins with a word of the graph: the command line looks there first, and stops when it finds one', () => {
  const ofGraph = new Set(GRAPH_ROWS.map((spec) => spec.command.split(' ')[0]));
  const others = OWN_COMMANDS.filter((entry) => !(GRAPH_ROWS as readonly unknown[]).includes(entry));
  expect(others.length).toBeGreaterThan(50);
  expect(others.map((entry) => entry.command).filter((command) => ofGraph.has(command.split(' ')[0] ?? ''))).toEqual(
    [],
  );
});
