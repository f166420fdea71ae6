import path from 'node:path';
import { expect, test } from 'vitest';
import { compareText } from '#kernel/order.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import { formOf } from '../schema-form.js';

/** What is called how, looked at and found good; whoever changes one looks again. `vitest -u` writes it. */
const GOLDEN = path.join(import.meta.dirname, 'golden/specs.txt');

const ALL = [...OPERATIONS, ...UNLISTED].sort((one, other) => compareText(one.name, other.name));

test('every operation is called, takes and may be used by whom as it was found good', async () => {
  const form = ({ summary: _, ...rest }: { readonly summary: string }) => `  ${JSON.stringify(rest)}`;
  const told = ALL.map(({ name, summary: _, examples: __, load: ___, arguments: given, options, ...rest }) =>
    [`${name} ${JSON.stringify(rest)}`, ...(given ?? []).map(form), ...(options ?? []).map(form)].join('\n'),
  );
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(GOLDEN);
});

test('what every operation is given and answers is as it was found good', async () => {
  const told = await Promise.all(
    ALL.map(async (spec) => {
      const { input, output } = await spec.load();
      return `${spec.name}\n  given ${formOf(input, 'input')}\n  answers ${formOf(output, 'output')}`;
    }),
  );
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/shapes.txt'));
});
