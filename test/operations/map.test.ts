import { expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import type { Input, Output } from '#operations/map.js';
import { specNamed } from '#operations/named.js';
import { operation } from '#operations/operation.js';
import type { callNamed } from '#surfaces/cli/commands/call-named.js';
import type { Renderers } from '#surfaces/cli/screen.js';

const ROW = { name: 'a.b', command: 'b', group: 'Tasks', kind: 'write', summary: 'Do it', examples: [] } as const;
const SHAPES = { input: z.strictObject({ id: z.string() }), output: z.object({ id: z.string() }) };

// What matters here is said to the compiler: a line that is expected to be an error has to be one.
test('an operation answers in its own form, and asks a model for fields of its input alone', () => {
  const run = async (_: unknown, { id }: { id: string }) => ({ id });
  operation({ ...ROW, ...SHAPES, asks: { purpose: 'assigner', when: 'id' }, run });
  // @ts-expect-error there is no such field
  operation({ ...ROW, ...SHAPES, asks: { purpose: 'assigner', when: 'auto' }, run });
  // @ts-expect-error it answers an id
  operation({ ...ROW, ...SHAPES, run: async () => ({ title: '' }) });
  // @ts-expect-error it has a summary
  operation({ ...ROW, ...SHAPES, summary: undefined, run });
});

test('one map types what callers give and get', () => {
  expectTypeOf<Input<'task.show'>>().toEqualTypeOf<{ id: string; at?: number | undefined }>();
  expectTypeOf<Output<'agent.kill'>['run']>().toEqualTypeOf<string>();
  expectTypeOf(specNamed('agent.kill').load).returns.resolves.toHaveProperty('input');
  // @ts-expect-error there is no such operation
  expectTypeOf<typeof callNamed<'task.nothing'>>();
  type Printed = Parameters<Renderers['agent.list']>[0];
  expectTypeOf<Output<'agent.list'>>().toExtend<Printed>();
  expectTypeOf<Output<'agent.kill'>>().not.toExtend<Printed>();
});
