import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { yamlText } from '#adapters/disk/strict-yaml.js';
import { verifies } from '../../verifies.js';
import { DECISION, golden, NOTE, played } from './played.js';

/** A panel that has begun, with a note of each seat. */
async function noted(verdicts: readonly string[]) {
  const own = played();
  own.withoutBudget();
  await own.act('propose', () => own.call('formation.panel', { goal: 'Drop the queue', yes: true }));
  const seats = (await own.shown(own.run())).formation?.seats ?? [];
  for (const [at, { name }] of seats.entries())
    if (verdicts[at] !== undefined) await own.handIn(own.id(name), NOTE(verdicts[at]));
  return own;
}

const ALL = ['SIGN-OFF', 'SIGN-OFF', 'SIGN-OFF', 'SIGN-OFF'];

verifies(
  'test.bites',
  'a panel that agrees: the case against comes first, and files that are gone, or a claim that is lost, end nothing',
  async () => {
    const own = await noted(ALL);
    const { act, handIn, id, step, project } = own;
    const file = (name: string) => path.join(project, '.claude/brainstorm-panel/runs', own.run(), name);
    await act('unanimity', () => step(own.run(), 'unanimity'));
    await act('too long', () => handIn(id('steelman'), 'x'.repeat(100_000)));
    await act('steelman', () => handIn(id('steelman'), 'It would have to be idle.'));
    const argued = DECISION.concat('\nSteelman: ran, it is idle — adopted\n');
    rmSync(file('steelman.md'));
    await act('its file is gone', () => handIn(id('decision'), argued));
    writeFileSync(file('steelman.md'), 'It would have to be idle.');
    await act('nothing of it', () => handIn(id('decision'), DECISION));
    await act('decision', () => handIn(id('decision'), argued));
    rmSync(file('decision.md'));
    await act('no decision', () => step(own.run(), 'log'));
    writeFileSync(file('decision.md'), argued);
    rmSync(file('steelman.md'));
    await act('no case against', () => step(own.run(), 'log'));
    writeFileSync(file('steelman.md'), 'It would have to be idle.');
    await act('claimed by another', () =>
      own.play(id('log'), async () => {
        await own.set(id('log'), { assigned: 'another' });
        return await own.call('formation.step', { run: own.run(), step: 'log' });
      }),
    );
    await act('by nobody', () => own.call('formation.step', { run: own.run(), step: 'log' }));
    await act('log', () => step(own.run(), 'log'));
    await expect(own.text()).toMatchFileSnapshot(golden('ends-panel'));
  },
);

verifies('test.bites', 'a panel that is stopped leaves an entry that says how far it came', async () => {
  const stops: Readonly<Record<string, (own: Awaited<ReturnType<typeof noted>>) => Promise<unknown>>> = {
    'before its notes': async () => undefined,
    'the case against is not written': (own) => own.step(own.run(), 'unanimity'),
    'the case against is written': async (own) => {
      await own.step(own.run(), 'unanimity');
      await own.handIn(own.id('steelman'), 'It would have to be idle.');
    },
  };
  const told: string[] = [];
  for (const [title, until] of Object.entries(stops)) {
    const own = await noted(title.startsWith('before') ? [] : ALL);
    await until(own);
    own.telling.lines.length = 0;
    await own.act('stop', () => own.call('playbook.stop', { run: own.run() }));
    told.push(`# ${title}\n${own.text()}`);
  }
  await expect(told.join('\n')).toMatchFileSnapshot(golden('ends-panel-stopped'));
});

verifies('test.bites', 'a sweep that is edited, steered and stopped: all that is told of it', async () => {
  const own = played();
  own.withoutBudget();
  const file = path.join(own.project, 'slices.yaml');
  const slices = ['one', 'two', 'three', 'four'].map((name) => ({ name, owns: [`key of ${name}`] }));
  writeFileSync(file, yamlText({ slices }));
  const { act, call, handIn, id, step } = own;
  await act('propose', () => call('formation.sweep', { goal: 'How caches fail', slices: file }));
  await act('edit', () => call('formation.edit', { run: own.run(), drop: ['four'] }));
  await act('start', () => call('formation.start', { run: own.run() }));
  for (const slice of ['one', 'two', 'three']) {
    const entry = { id: `${slice}-0`, title: slice, source: `https://${slice}.example`, claim: 'c' };
    await act(slice, () => handIn(id(slice), yamlText({ entries: [entry] })));
  }
  await act('merge', () => step(own.run(), 'merge'));
  await act('stop', () => call('playbook.stop', { run: own.run() }));
  await expect(own.text()).toMatchFileSnapshot(golden('ends-sweep'));
});
