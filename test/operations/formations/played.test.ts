import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { yamlText } from '#adapters/disk/strict-yaml.js';
import { verifies } from '../../verifies.js';
import { DECISION, golden, NOTE, played } from './played.js';

verifies('test.bites', 'a panel from its proposal to its end: all that is told of it after each act', async () => {
  const own = played();
  const { act, call, handIn, id, step } = own;
  await act('propose', () => call('formation.panel', { goal: 'Drop the queue' }));
  await act('refused', () => call('formation.edit', { run: own.run(), drop: ['skeptic'] }));
  await act('edit', () => call('formation.edit', { run: own.run(), drop: ['operator'], add: ['accountant'] }));
  await act('go', () => call('formation.go', { run: own.run() }));
  own.withoutBudget();
  await act('start', () => call('formation.start', { run: own.run() }));
  await act('read', () => call('formation.read', { run: own.run() }));
  const [first, second, third, fourth] = ['maintainer', 'user-advocate', 'skeptic', 'accountant'];
  await act('note', () => handIn(id(first ?? ''), NOTE('SIGN-OFF')));
  await act('no note', () => handIn(id(second ?? ''), 'fine'));
  await act('lost', () => own.play(id(second ?? ''), async () => undefined, 'failed'));
  await act('third', () => handIn(id(third ?? ''), NOTE('SIGN-OFF')));
  await act('fourth', () => handIn(id(fourth ?? ''), NOTE('CHANGES REQUESTED')));
  await act('unanimity', () => step(own.run(), 'unanimity'));
  await act('decision without it', () => handIn(id('decision'), DECISION));
  await act('decision', () => handIn(id('decision'), `${DECISION}\nMissing: user-advocate.\n`));
  await act('log', () => step(own.run(), 'log'));
  await act('stop', () => call('playbook.stop', { run: own.run() }));
  await expect(own.text()).toMatchFileSnapshot(golden('played-panel'));
});

verifies('test.bites', 'a sweep from its proposal to its end: all that is told of it after each act', async () => {
  const own = played();
  const { act, call, handIn, id, step } = own;
  const file = path.join(own.project, 'slices.yaml');
  writeFileSync(
    file,
    yamlText({ slices: ['one', 'two', 'three'].map((name) => ({ name, owns: [`key of ${name}`] })) }),
  );
  const entries = (slice: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: `${slice}-${at}`,
      title: `About ${slice} ${at}`,
      source: `https://${slice}${at}.example`,
      claim: 'c',
    }));
  own.withoutBudget();
  await act('propose', () => call('formation.sweep', { goal: 'How caches fail', slices: file }));
  await act('start', () => call('formation.start', { run: own.run() }));
  await act('one', () =>
    handIn(
      id('one'),
      yamlText({ entries: [...entries('one', 6), { id: 'Bad Id' }, { ...entries('two', 1)[0], id: 'x', exec: 'rm' }] }),
    ),
  );
  await act('few', () => handIn(id('two'), yamlText({ entries: entries('two', 2) })));
  await act('not yaml', () => handIn(id('three'), 'a: [b'));
  await act('lost', () => own.play(id('three'), async () => undefined, 'failed'));
  await act('merge', () => step(own.run(), 'merge'));
  await act('again', () => handIn(id('again-two'), yamlText({ entries: entries('two', 6) })));
  await act('thin', () =>
    handIn(id('again-three'), yamlText({ entries: entries('three', 1), thin: { reason: 'dead-topic' } })),
  );
  await act('merge again', () => step(own.run(), 'merge-again'));
  await act('by heart', () => handIn(id('synthesis'), yamlText({ findings: [{ text: 'By heart', entries: ['z'] }] })));
  await act('synthesis', () =>
    handIn(
      id('synthesis'),
      yamlText({
        findings: [
          { text: 'They fail.', entries: ['one-0', 'z'] },
          { text: 'x', entries: [] },
        ],
      }),
    ),
  );
  const folder = `.claude/research-sweep/runs/${own.run()}`;
  const asked = own.fileText(`${folder}/sample.yaml`).match(/\b(?:one|two|three)-\d\b/g) ?? [];
  const verdicts = (bad: string | undefined) =>
    yamlText({
      verdicts: asked.map((one) => ({ id: one, verdict: one === bad ? 'REFUTED' : 'HOLDS', why: 'looked' })),
    });
  await act('verify', () => handIn(id('verify'), verdicts(asked[0])));
  await act('settle', () => step(own.run(), 'settle'));
  const slice = asked[0]?.split('-')[0] ?? '';
  const rest = own.fileText(`${folder}/in-full-${slice}.yaml`).match(/\b(?:one|two|three)-\d\b/g) ?? [];
  await act('in full', () =>
    handIn(
      id(`verify-${slice}`),
      yamlText({ verdicts: rest.map((one) => ({ id: one, verdict: 'HOLDS', why: 'looked' })) }),
    ),
  );
  await act('log', () => step(own.run(), 'log'));
  for (const name of ['findings.yaml', 'rejected.yaml', 'report.md'])
    await act(`read ${name}`, () => call('formation.read', { run: own.run(), file: name }));
  await expect(own.text()).toMatchFileSnapshot(golden('played-sweep'));
});

verifies(
  'test.bites',
  'a crew from its proposal to a blocked phase: all that is told of it after each act',
  async () => {
    const own = played();
    const { act, call, id } = own;
    await act('propose', () => call('formation.crew', { goal: 'Add CSV export', mode: 'autopilot' }));
    own.withoutBudget();
    await act('start', () => call('formation.start', { run: own.run() }));
    await act('empty', () => own.handIn(id('architect'), ' '));
    await act('another file', () =>
      own.play(id('architect'), () => call('formation.hand-in', { id: id('architect'), name: 'QA.md', content: 'x' })),
    );
    const handed = (name: string, content: string) => call('formation.hand-in', { id: id('architect'), name, content });
    await act('architect', () =>
      own.play(id('architect'), async () => {
        await handed('PLAN.md', '# Plan\n\nExport it.\n');
        return await handed('CONTRACT.md', '# Contract\n\n- AC1: it exports\n');
      }),
    );
    await act('lost', () => own.play(id('dev'), async () => undefined, 'failed'));
    await act('stop', () => call('playbook.stop', { run: own.run() }));
    await expect(own.text()).toMatchFileSnapshot(golden('played-crew'));
  },
);
