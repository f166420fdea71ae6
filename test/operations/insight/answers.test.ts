import path from 'node:path';
import { expect } from 'vitest';
import { why } from '#operations/insight/blocking.js';
import { analysisReport } from '#operations/insight/report.js';
import { specNamed } from '#operations/named.js';
import { ANALYSIS_ROWS } from '../../analysis-rows.js';
import { verifies } from '../../verifies.js';
import { Telling, told } from '../told.js';
import { busyProject, COORDINATORS } from './busy-project.js';

const golden = (name: string) => path.join(import.meta.dirname, `../golden/${name}.txt`);

const WISHES: Readonly<Record<string, readonly object[]>> = {
  'task.context': [{ id: 'test' }, { id: 'fetch', dependents: true }],
  'analysis.report': [
    {},
    ...[{ id: 'fetch', only: ['impact'] }, { id: 'ship', only: ['cost'] }, { only: ['plan'] }],
    ...[
      { id: 'ship', only: ['blocked'] },
      { id: 'test', only: ['blocked'] },
    ],
    ...[
      { only: ['plan'], hours: 4 },
      { only: ['plan'], budget: 4 },
    ],
    ...[
      { only: ['velocity'], weeks: 1 },
      { only: ['recent'], since: '30d' },
    ],
  ],
  'analysis.next': [{}, { member: 'Ann' }, { member: 'nobody' }],
  'graph.check': [{}],
  'graph.viz': [{ graph: true }, { ids: ['ship'], critical_path: true }, { tag: ['core'], all: true, dot: true }],
  'graph.picture': [{}, { limit: 3 }, { search: 'ring' }, { state: ['ready', 'done'] }],
};
/** Asked for each task, or of each coordinator, below; or a picture of something else. */
const APART = ['task.why', 'task.output', 'status.now', 'status.work', 'analysis.problems'];

const READS = [
  ...ANALYSIS_ROWS.filter(({ kind }) => kind === 'read'),
  ...(['graph.viz', 'status.now', 'status.work', 'graph.picture', 'task.output'] as const).map((name) =>
    specNamed(name),
  ),
];

verifies(
  ['graph.show.more', 'test.bites'],
  'what every analysis says of a busy project is as it was found good',
  async () => {
    const own = await busyProject();
    const lines: string[] = [];
    for (const { name } of READS.filter((spec) => !APART.includes(spec.name))) {
      for (const input of WISHES[name] ?? [{}])
        lines.push(`${name} ${JSON.stringify(input)}`, ...told(await own.call(name, input)));
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(golden('analyses'));
  },
);

verifies(
  ['ui.status.why', 'test.bites'],
  'what a busy project says of each task and of itself, under each coordinator',
  async () => {
    const own = await busyProject();
    const ids = [...(await own.store.view()).nodes()].filter(({ kind }) => kind === 'task').map(({ id }) => id);
    const telling = new Telling();
    for (const [name, facts] of [['none', undefined] as const, ...Object.entries(COORDINATORS)]) {
      if (facts) own.context.coordinator = () => facts;
      telling.lines.push(`== ${name}`);
      for (const answer of ['status.now', 'status.work', 'analysis.problems'])
        telling.say(answer, await own.call(answer, {}));
      const [groups, chains] = [new Map<string, string[]>(), [] as unknown[]];
      for (const id of ids) {
        const { why_blocked: held } = await analysisReport.run(own.context, { id, only: ['why-blocked'] });
        const { reasons, ...chain } = held ?? expect.unreachable();
        if (facts === undefined) chains.push(chain);
        const command = new RegExp(`(\`troupe [^\`]*) ${id}(?=[ \`])`, 'g');
        const text = JSON.stringify([reasons, await why.run(own.context, { id })]).replace(command, '$1 ID');
        groups.set(text, [...(groups.get(text) ?? []), id]);
      }
      if (facts === undefined) telling.say('why-blocked', chains);
      telling.say(
        'why',
        [...groups].map(([text, of]) => [of.sort(), ...JSON.parse(text)]),
      );
    }
    await expect(telling.text).toMatchFileSnapshot(golden('standing'));
  },
);
