import { expectTypeOf, test } from 'vitest';
import type { Input, Output } from '#operations/map.js';
import { specNamed } from '#operations/named.js';
import { operationSpecs } from '#operations/operation-spec.js';
import type { callNamed } from '#surfaces/cli/commands/call-named.js';
import type { Renderers } from '#surfaces/cli/screen.js';

const ROW = { command: 'retry', group: 'Tasks', kind: 'write', summary: 'Try it again', examples: [] } as const;
const NUMBER = { type: 'number', summary: '' } as const;
const load = () => import('#operations/graph/moves.js').then((module) => module.retry);

// What matters here is said to the compiler: a line that is expected to be an error has to be one.
test('a row has the name of its operation, and flags for the fields of its input alone', () => {
  operationSpecs({ ...ROW, name: 'task.retry', arguments: [{ field: 'id', summary: 'The task' }], load });
  // @ts-expect-error it loads task.retry
  operationSpecs({ ...ROW, name: 'task.fail', load });
  // @ts-expect-error there is no such field
  operationSpecs({ ...ROW, name: 'task.retry', options: [{ flag: 'x', field: 'x', type: 'text', summary: '' }], load });
  // @ts-expect-error a reason is a text
  operationSpecs({ ...ROW, name: 'task.retry', options: [{ ...NUMBER, flag: 'r', field: 'reason' }], load });
  // @ts-expect-error there is no such argument
  operationSpecs({ ...ROW, name: 'task.retry', arguments: [{ field: 'task', summary: '' }], load });
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
