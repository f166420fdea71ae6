import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProjectEntries } from '#adapters/catalog/project-entries.js';
import { sha256 } from '#kernel/hash.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { Errands } from '#operations/coordinator/errands.js';
import { WorkflowsHost } from '#operations/coordinator/workflows-host.js';
import { localZone } from '#operations/workflows/triggers.js';
import { world } from '../../e2e/world.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const DAILY =
  'id: daily\nprefix: day\ntrigger: {type: schedule, every: daily}\nedges: []\nnodes: [{id: look, type: prompt, label: Look}]\n';

/** A project with one workflow that begins by itself, and another whose command nobody agreed to yet. */
function place() {
  const own = world();
  const folder = room();
  const at = path.join(folder, '.squad/workflows');
  mkdirSync(at, { recursive: true });
  const write = (id: string, text: string) => writeFileSync(path.join(at, `${id}.yaml`), text);
  const steps = '{id: all, type: serial, steps: [{id: one, run: make one}]}';
  const command = `id: build\ntrigger: {type: schedule, every: daily}\nedges: []\nnodes: [${steps}]\n`;
  write('daily', DAILY);
  let now = 1_000_000;
  let reads = 0;
  const entries = new ProjectEntries(folder);
  const counted = Object.assign(Object.create(entries), {
    list: (kind: 'workflows') => {
      reads++;
      return entries.list(kind);
    },
  });
  const context = {
    ...own.context,
    clock: { now: () => now },
    workflowFiles: async () => counted,
    catalog: async () => ({ load: async () => ({ workflows: [] }) }) as never,
    squad: async () => ({ texts: async () => new Map() }) as never,
    executorTrust: async () => ({ all: async () => new Map() }) as never,
  };
  const errands = new Errands(() => undefined);
  const host = new WorkflowsHost(context, { errands });
  const look = async (later = 0) => {
    now += later;
    const { triggers } = await host.facts();
    return [triggers.workflows.map(({ id, blocked }) => [id, blocked?.text]), triggers.zone, reads];
  };
  return { host, look, write, errands, command };
}

verifies(
  'test.bites',
  'what begins by itself is read again from time to time, also with the clock put back',
  async () => {
    const { look } = place();
    const known = [['daily', undefined]];
    const zone = localZone();
    expect(await look()).toEqual([known, zone, 1]);
    expect(await look(WORK_LIMITS.workflowLookMs - 1)).toEqual([known, zone, 1]);
    expect(await look(1)).toEqual([known, zone, 2]);
    expect(await look(-1)).toEqual([known, zone, 2]);
    expect(await look(-WORK_LIMITS.workflowLookMs)).toEqual([known, zone, 3]);
  },
);

verifies(
  'test.bites',
  'what was refused is held with its reason for a while, or until a file changes, and nothing else is',
  async () => {
    const { host, look, write } = place();
    write('other', DAILY.replaceAll('daily', 'other').replace('every: other', 'every: daily'));
    const drop = (workflow: string) => {
      const decision = { do: 'drop-workflow', key: `workflow ${workflow}`, reason: '', events: [] };
      const refused = { workflow, why: 'no inputs' };
      return host.carryOut['drop-workflow']({ ...decision, refused } as never, {} as never);
    };
    const states = async (later = 0) => (await look(later))[0];
    const both = [
      ['daily', undefined],
      ['other', undefined],
    ];
    expect(await states()).toEqual(both);
    expect(drop('daily')).toBe(0);
    expect(host.refusals()).toEqual(new Map([['daily', 'no inputs']]));
    const held = [['daily', 'no inputs'], both[1]];
    expect(await states()).toEqual(held);
    expect(await states(WORK_LIMITS.workflowAgainMs - 1)).toEqual(held);
    expect(await states(1)).toEqual(both);
    expect(drop('daily')).toBe(0);
    write('other', `${DAILY.replaceAll('daily', 'other').replace('every: other', 'every: daily')}# ${sha256('x')}\n`);
    expect(await states()).toEqual(both);
    expect(host.refusals().size).toBe(0);
  },
);

verifies('test.bites', 'its own reason goes before that it was refused', async () => {
  const { host, look, write, command } = place();
  write('build', command);
  const own = (await look())[0];
  expect(own).toEqual([
    ['build', 'Its commands are not trusted here.'],
    ['daily', undefined],
  ]);
  const refused = { workflow: 'build', why: 'no inputs' };
  host.carryOut['drop-workflow']({ do: 'drop-workflow', key: 'workflow build', refused } as never, {} as never);
  expect((await look())[0]).toEqual(own);
});
