import { expect } from 'vitest';
import { strictToml } from '#adapters/disk/strict-toml.js';
import { strictYaml } from '#adapters/disk/strict-yaml.js';
import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { parseForeignObject } from '#kernel/json.js';
import { processorMs } from '../../processor-time.js';
import { verifies } from '../../verifies.js';

/** What a reader says of a text: its data, or where and why not. */
function said(read: (text: string) => unknown, text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof UnreadableData)) throw error;
    return { line: error.line, why: error.message };
  }
}
const yaml = (text: string) => said((one) => strictYaml(one).value, text);
const toml = (text: string) => said((one) => strictToml(one), text);
const refused = (why: RegExp, line?: number) =>
  expect.objectContaining({ why: expect.stringMatching(why), ...(line === undefined ? {} : { line }) });

verifies('sec.yaml', 'what could mean more than it says is refused, with its line', () => {
  expect(yaml('a: 1\nb: [x, "y"]\n')).toEqual({ a: 1, b: ['x', 'y'] });
  expect(yaml('a: 1\nb: 2\na: 3\n')).toEqual(refused(/a appears twice/, 3));
  expect(yaml('a: &x 1\nb: *x\n')).toEqual(refused(/alias/, 2));
  expect(yaml('a: 1\n__proto__: {b: 1}\n')).toEqual(refused(/__proto__/, 2));
  expect(yaml('{a: 1}: b\n')).toEqual(refused(/key/));
  expect(yaml('a: !!js/function "x"\n')).toEqual(refused(/tag/i, 1));
  expect(yaml('a: 1\n---\nb: 2\n')).toEqual(refused(/document/i));
  for (const level of ['[', '{a: ', '- ', '? ', 'a: - ', '- - '])
    expect(yaml(level.repeat(5_000)), level).toEqual(refused(/./));
  const stairs = Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
  expect(yaml(stairs)).toEqual(refused(/deep/));
  expect(toml('a = 1\n[b]\nc = "x"\n')).toEqual({ a: 1, b: { c: 'x' } });
  expect(toml('a = 1\na = 2\n')).toEqual(refused(/./, 2));
  expect(toml('[__proto__]\na = 1\n')).toEqual(refused(/__proto__/));
  expect(toml(`a = ${'['.repeat(10_000)}`)).toEqual(refused(/./));
});

verifies('sec.yaml', 'the cost grows with the size of a file and with nothing else', () => {
  const cost = (read: () => unknown): number => {
    return Math.min(...[1, 2, 3, 4, 5].map(() => processorMs(read)));
  };
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');
  const readers = {
    yaml: (count: number) => strictYaml(lines(count, (index) => `key${index}: value`)),
    toml: (count: number) => strictToml(lines(count, (index) => `key${index} = "value"`)),
    json: (count: number) => parseForeignObject(`{${lines(count, (index) => `"key${index}": "value",`)}"last": 1}`),
  };
  for (const [name, read] of Object.entries(readers)) {
    read(500); // loaded and compiled
    // Comparing each key with all others makes eight times the keys 64 times the work; beside other work 37 was seen of what is linear.
    expect(cost(() => read(12_000)) / cost(() => read(1_500)), name).toBeLessThan(48);
  }
});
